// The configuration files of agents with a server put in or taken out; what else is in them stays. Each is read again by its format's own parser.
import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml, stringify as tomlOf } from 'smol-toml'
import { FormatError } from '../../format-error.ts'
import { isObject } from '../../permission-set.ts'
import type { ClientEntry } from './client-config.ts'
import type { McpClient } from './clients.ts'

/** Where each is: below the folder of the project, or of the user; the last one always of the user. */
export const clientFiles: Readonly<Record<McpClient, { path: string; list: string }>> = {
  claude: { path: '.mcp.json', list: 'mcpServers' },
  vscode: { path: '.vscode/mcp.json', list: 'servers' },
  cursor: { path: '.cursor/mcp.json', list: 'mcpServers' },
  codex: { path: '.codex/config.toml', list: 'mcp_servers' },
}

/** What a file has under the name of a server now; undefined for nothing. Throws FormatError for a file that cannot be read. */
export function entryIn(client: McpClient, text: string | undefined, name: string): unknown {
  const list = parsedFile(client, text)[clientFiles[client].list]
  return isObject(list) ? list[name] : undefined
}

/** The text of the file with this entry in the place of the one before, or without it. */
export function changedFile(
  client: McpClient,
  text: string | undefined,
  { name, entry, inputs }: Omit<ClientEntry, 'entry'> & { entry: ClientEntry['entry'] | undefined },
): string {
  const value = parsedFile(client, text)
  const { list } = clientFiles[client]
  const before = value[list]
  if (before !== undefined && !isObject(before)) throw new FormatError(`expected ${list} to be an object`)
  const { [name]: _, ...others } = before ?? {}
  const servers = entry === undefined ? others : { ...others, [name]: entry }
  const wanted: Record<string, unknown> = { ...value, [list]: servers }
  if (client === 'codex') return changedToml(text ?? '', { name, entry, wanted })
  if (client === 'vscode') {
    const asked = Array.isArray(value['inputs']) ? (value['inputs'] as unknown[]) : []
    const ids = new Set(inputs.map(({ id }) => id))
    const kept = asked.filter((one) => !(isObject(one) && ids.has(String(one['id']))))
    const all = entry === undefined ? kept : [...kept, ...inputs]
    if (all.length > 0 || 'inputs' in value) wanted['inputs'] = all
  }
  return `${JSON.stringify(wanted, null, 2)}\n`
}

/** Whether two values are the same JSON; the order of keys does not count. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify({ one })), JSON.parse(JSON.stringify({ one: other })))

function parsedFile(client: McpClient, text = ''): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const value: unknown = client === 'codex' ? parseToml(text) : JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw new FormatError(`expected ${client === 'codex' ? 'TOML' : 'a JSON object without comments'}`)
}

/** Comments and the order of what else is there stay: the tables of the server are cut out, and written at the end. */
function changedToml(
  text: string,
  {
    name,
    entry,
    wanted,
  }: { name: string; entry: Record<string, unknown> | undefined; wanted: Record<string, unknown> },
): string {
  const head = new RegExp(`^\\s*\\[\\s*mcp_servers\\s*\\.\\s*(?:${name}|"${name}")\\s*[.\\]]`)
  let isOurs = false
  const kept = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = head.test(line)
    return !isOurs
  })
  const rest = kept.join('\n').trimEnd()
  const own = entry === undefined ? '' : tomlOf({ mcp_servers: { [name]: entry } }).trim()
  const result = [rest, own].filter(Boolean).join('\n\n')
  const made = parseToml(result)
  const { mcp_servers: servers = {}, ...others } = wanted
  const { mcp_servers: madeServers = {}, ...madeOthers } = made
  if (!isSame(madeOthers, others) || !isSame(madeServers, servers))
    throw new FormatError(`expected [mcp_servers.${name}] as a table of its own`)
  return result === '' ? '' : `${result}\n`
}
