// mcp and completion: for other programs.
import type { Command } from './command.ts'
import type { Table } from './completion.ts'

const mcp: Command = {
  usage: '',
  summary: 'Be an MCP server on the standard input and output, with your credentials',
  details: `  For MCP clients that start programs:
  { "mcpServers": { "guildhall": { "command": "guildhall", "args": ["mcp"] } } }

  The tools are those of the server. Your agent never sees your token, and may do what it may.`,
  words: [0, 0],
  run: async (context) => (await import('./mcp.ts')).mcp(context),
}

/** Completes the commands of `table`, itself among them. */
const completionOf = (table: () => Table): Command => ({
  usage: 'bash|zsh|fish',
  summary: 'Print what a shell completes commands and options with',
  details: `  bash: guildhall completion bash > ~/.local/share/bash-completion/completions/guildhall
  zsh:  guildhall completion zsh > "\${fpath[1]}/_guildhall"
  fish: guildhall completion fish > ~/.config/fish/completions/guildhall.fish`,
  words: [1, 1],
  run: async (context, { words: [shell = ''] }) =>
    (await import('./completion.ts')).completion(context, shell, table()),
})

export const toolCommands = (table: () => Table) => ({ mcp, completion: completionOf(table) })
