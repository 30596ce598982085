// How the configuration of an agent names an MCP server. A secret is never written: the client takes it from its environment, or asks for it.
// Nothing here uses an API of Node.
import { FormatError } from '../../format-error.ts'
import type { McpClient } from './clients.ts'
import type { Argument, Input, KeyValue, Package, Remote, ServerJson } from './server-json.ts'

/** What VS Code asks for once, and keeps (code.visualstudio.com/docs/copilot/customization/mcp-servers). */
export interface AskedInput {
  type: 'promptString'
  id: string
  description: string
  password: boolean
}

export interface ClientEntry {
  /** What the server is called in the file. */
  name: string
  entry: Record<string, unknown>
  /** Of VS Code alone. */
  inputs: AskedInput[]
}

/** The part of a name behind the slash, in letters that every client takes. */
const shortName = ({ name }: ServerJson): string => (name.split('/')[1] ?? name).replace(/[^A-Za-z0-9_-]/g, '-')

/** Programs that run a package of a registry, with what stands before it and how it is named with its version. */
const runners: Record<string, { command: string; before: string[]; at: string }> = {
  npm: { command: 'npx', before: ['-y'], at: '@' },
  pypi: { command: 'uvx', before: [], at: '@' },
  oci: { command: 'docker', before: ['run', '-i', '--rm'], at: ':' },
  nuget: { command: 'dnx', before: ['--yes'], at: '@' },
}

/**
 * The entry of a server for a client: its first package that a known program runs, otherwise its first remote.
 *
 * @throws FormatError where it has neither
 */
export function entryFor(client: McpClient, server: ServerJson): ClientEntry {
  const name = shortName(server)
  const packed = server.packages?.find(
    (one) => one.transport.type === 'stdio' && Object.hasOwn(runners, one.registryType),
  )
  const [remote] = server.remotes ?? []
  if (!packed && !remote)
    throw new FormatError('expected a package of npm, pypi, oci or nuget on stdio, or a remote', 'packages')
  // A program reads variables by its own names. What goes to a remote has a name of its own: the publisher could name any secret there is.
  const writer = new EntryWriter(client, name, packed ? '' : `MCP_${variableOf(name)}_`)
  const entry = packed ? writer.local(packed) : writer.remote(remote as Remote)
  return { name, entry, inputs: writer.inputs }
}

/**
 * Agents fill in `${NAME}` from the environment of their user: a publisher who writes it would be sent what is there.
 *
 * @throws FormatError where a package or a remote has such text
 */
export function assertNoOwnVariables({ packages = [], remotes = [] }: ServerJson): void {
  if (JSON.stringify([packages, remotes]).includes('${'))
    throw new FormatError('has ${ in it, which agents fill in from the environment')
}

class EntryWriter {
  readonly inputs: AskedInput[] = []
  readonly #client: McpClient
  readonly #name: string
  readonly #prefix: string

  /** Variables of the environment that values are taken from begin with `prefix`. */
  constructor(client: McpClient, name: string, prefix: string) {
    this.#client = client
    this.#name = name
    this.#prefix = prefix
  }

  local(one: Package): Record<string, unknown> {
    const runner = runners[one.registryType] as (typeof runners)[string]
    const variables = (one.environmentVariables ?? []).filter(isUsed)
    const named = one.version === undefined ? one.identifier : `${one.identifier}${runner.at}${one.version}`
    const before = one.runtimeArguments ? this.#arguments(one.runtimeArguments) : runner.before
    // A container gets only the variables that its command line names.
    const passed = one.registryType === 'oci' ? variables.flatMap(({ name }) => ['-e', name]) : []
    const args = [...before, ...passed, named, ...this.#arguments(one.packageArguments ?? [])]
    const command = one.runtimeHint ?? runner.command
    if (this.#client !== 'codex') {
      const env = Object.fromEntries(variables.map((given) => [given.name, this.#value(given, given.name)]))
      const type = this.#client === 'vscode' || this.#client === 'claude' ? { type: 'stdio' } : {}
      return { ...type, command, args, ...(variables.length > 0 && { env }) }
    }
    const fixed = variables.filter((given) => fixedOf(given) !== undefined)
    const own = variables.filter((given) => fixedOf(given) === undefined).map((given) => given.name)
    return {
      ...{ command, args },
      ...(fixed.length > 0 && { env: Object.fromEntries(fixed.map((given) => [given.name, fixedOf(given)])) }),
      ...(own.length > 0 && { env_vars: own }),
    }
  }

  remote({ type, url: template, headers = [], variables = {} }: Remote): Record<string, unknown> {
    const url = template.replace(/\{([^{}]+)\}/g, (whole, key: string) => {
      const variable = variables[key]
      return variable ? this.#value(variable, key) : whole
    })
    const used = headers.filter(isUsed)
    if (this.#client === 'codex') {
      if (type === 'sse')
        throw new FormatError('expected a remote of type streamable-http: Codex knows no other', 'remotes')
      const fixed = used.filter((given) => fixedOf(given) !== undefined)
      const own = used.filter((given) => fixedOf(given) === undefined)
      return {
        url,
        ...(fixed.length > 0 && { http_headers: Object.fromEntries(fixed.map((one) => [one.name, fixedOf(one)])) }),
        ...(own.length > 0 && {
          env_http_headers: Object.fromEntries(own.map((one) => [one.name, this.#prefix + variableOf(one.name)])),
        }),
      }
    }
    const all = Object.fromEntries(used.map((given) => [given.name, this.#value(given, given.name)]))
    const kind = type === 'sse' ? 'sse' : 'http'
    return { ...(this.#client !== 'cursor' && { type: kind }), url, ...(used.length > 0 && { headers: all }) }
  }

  #arguments(all: readonly Argument[]): string[] {
    return all.filter(isUsed).flatMap((one) => {
      const value = this.#value(one, one.type === 'named' ? one.name : (one.valueHint ?? 'argument'))
      if (one.type === 'positional') return [value]
      // A flag without a value of its own.
      return one.value === undefined && one.default === undefined && one.isRequired !== true
        ? [one.name]
        : [one.name, value]
    })
  }

  /** A value that is fixed, with its variables filled in; otherwise where the client gets it from. */
  #value(given: Input & Pick<KeyValue, 'variables'>, name: string): string {
    if (given.value !== undefined) {
      return given.value.replace(/\{([^{}]+)\}/g, (whole, key: string) => {
        const inner = given.variables?.[key]
        return inner ? this.#value(inner, key) : whole
      })
    }
    if (given.default !== undefined && given.isSecret !== true) return given.default
    const variable = variableOf(name)
    if (this.#client === 'claude') return `\${${this.#prefix}${variable}}`
    if (this.#client === 'cursor') return `\${env:${this.#prefix}${variable}}`
    if (this.#client === 'codex') throw new FormatError(`expected a value for ${name}: Codex asks for none`, 'packages')
    const id = `${this.#name}-${variable}`
    const known = this.inputs.some((one) => one.id === id)
    const password = given.isSecret === true
    if (!known) this.inputs.push({ type: 'promptString', id, description: given.description ?? name, password })
    return `\${input:${id}}`
  }
}

/** What has a value, or needs one. */
const isUsed = (given: Input): boolean =>
  given.value !== undefined || given.default !== undefined || given.isRequired === true || given.isSecret === true

/** The value that is the same for everybody; undefined where it has a variable or a secret in it. */
function fixedOf({ value, default: otherwise, isSecret, variables = {} }: KeyValue): string | undefined {
  if (value !== undefined) return Object.keys(variables).some((key) => value.includes(`{${key}}`)) ? undefined : value
  return isSecret ? undefined : otherwise
}

/** The environment variable that a value is taken from. */
const variableOf = (name: string): string =>
  name
    .replace(/^-+/, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
