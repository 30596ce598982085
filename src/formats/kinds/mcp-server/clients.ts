// The agents whose configuration the command line can write.
export const mcpClients = ['claude', 'vscode', 'cursor', 'codex'] as const
export type McpClient = (typeof mcpClients)[number]

export interface ServerFileRequest {
  client: McpClient
  /** The server.json that is to be there; undefined to take it out. */
  server: Uint8Array | undefined
  /** The one that was put there. */
  before: Uint8Array | undefined
  /** What the file of the client has in it; undefined where there is none. */
  text: string | undefined
}

export interface ServerFileChange {
  /** Of the client, below its folder. */
  path: string
  text: string
  /** Another entry of this name, or a changed one, would be lost. */
  isLost: boolean
}
