// MCP servers: a server.json (behaviour.md, section 4).
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { only } from '../../file-content.ts'
import { FormatError, refusalOf } from '../../format-error.ts'
import { bounded, comparedText, part } from '../../item-parts.ts'
import { assertMetaSize, itemName } from '../../item-text.ts'
import { hashOfValue } from '../../json-tokens.ts'
import { type Permission, PermissionSet } from '../../permission-set.ts'
import { addSite } from '../../permission-sites.ts'
import { decodeUtf8, parseJson } from '../../text.ts'
import { isVersion } from '../../version.ts'
import { Findings } from '../../warning.ts'
import type { KindFormat } from '../kind-format.ts'
import { givenTo, ServerJson } from './server-json.ts'

/** Every schema of the format has such an address. */
const SCHEMA =
  /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/(?:\d{4}-\d{2}-\d{2}|draft)\/server\.schema\.json$/

/** The one whose rules server-json.ts has. */
const KNOWN_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

export const format: KindFormat = {
  async read(path) {
    const server = readServer(await readFile(path))
    const { name, title, description, version, packages = [], remotes = [], repository } = server
    const meta = {
      server_name: name,
      // Who publishes it may prove that the name is theirs (library/publishers/letting.ts, library/name-domains); a file does not.
      verified: false,
      packages: packages.map((one) => ({
        ...{ registry: one.registryType, identifier: one.identifier, version: one.version ?? null },
        transport: one.transport.type,
      })),
      remotes: remotes.map(({ type, url }) => ({ type, url })),
      given: givenTo(server),
      repository: repository?.url ?? null,
    }
    assertMetaSize(meta)
    const findings = new Findings()
    if (server.$schema !== undefined && !SCHEMA.test(server.$schema))
      findings.add(['$schema'], 'is no address of the schema of server.json')
    else if (server.$schema !== undefined && server.$schema !== KNOWN_SCHEMA)
      findings.add(['$schema'], 'is another version of the schema than 2025-12-11, by whose rules it was checked')
    if (packages.length + remotes.length === 0)
      findings.add(['packages'], 'there is neither a package nor a remote, so no client can use it')
    return {
      ...{ ...only, slug: slugOf(name), name: itemName(title ?? name, name), description, version, meta },
      ...{ readme: description, warnings: findings.list },
    }
  },
  permissions: async (path) => permissionsOf(readServer(await readFile(path))),
  async parts(path) {
    const bytes = await readFile(path)
    const { packages = [], remotes = [], ...server } = readServer(bytes)
    const nodes = [
      ...packages.map((one) => ({ name: one.identifier, type: one.registryType, value: one })),
      ...remotes.map((one) => ({ name: one.url, type: one.type, value: one })),
    ]
    const list = nodes.map(({ name, type, value }) =>
      part({ id: `${type} ${name}`, name, type, sha256: hashOfValue(value) }),
    )
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return {
      permissions: permissionsOf({ packages, remotes, ...server }),
      files: [{ path: '', size: bytes.length, sha256, text: comparedText('.json', bytes) }],
      steps: [],
      ...bounded('nodes', list),
    }
  },
}

/** A name as a slug: a namespace has no underscore, so different names stay different; capitals do not count. */
const slugOf = (name: string): string => name.toLowerCase().replace('/', '_')

/** @throws FormatError with the first field that breaks the format */
export function readServer(bytes: Buffer): ServerJson {
  const parsed = ServerJson.safeParse(parseJson(decodeUtf8(bytes)))
  if (!parsed.success) throw refusalOf(parsed.error)
  const { name, version } = parsed.data
  if (!/^[a-z0-9]/i.test(name) || !/[a-z0-9_-]$/i.test(name))
    throw new FormatError('expected a name that begins with a letter or a digit and does not end in a dot', 'name')
  if (!isVersion(version)) throw new FormatError('expected a semantic version, such as 1.4.2', 'version')
  return parsed.data
}

/** The packages that it runs, the hosts that it names, and what it is given. */
function permissionsOf(server: ServerJson): Permission[] {
  const found = new PermissionSet()
  for (const { registryType, registryBaseUrl, identifier, transport } of server.packages ?? []) {
    // What the program does is not in this file: that it is run says that it may do anything. A new host of a remote has to show beside it.
    found.addExactly('script', `${registryType} package ${identifier}`)
    found.addExactly('download', `${registryType} package ${identifier}`)
    if (registryBaseUrl !== undefined) addSite(found, registryBaseUrl)
    if (transport.type !== 'stdio') addSite(found, transport.url)
  }
  for (const { url } of server.remotes ?? []) addSite(found, url)
  for (const { name, place, secret } of givenTo(server)) {
    if (secret) found.addExactly('secret', `${place} ${name}`)
    else found.addExactly('step', `is given ${place} ${name}`)
  }
  return found.sorted()
}
