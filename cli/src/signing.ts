// Signs what is about to be published, where there is a key for it: the server says what the statement will be, with the name and the version
// that it gives, and the key signs that.
import { createHash } from 'node:crypto'
import type { Client } from '../../client/src/create-client.ts'
import { statementToSign } from '../../client/src/verify-statement.ts'
import type { Context } from './command.ts'
import type { ItemName } from './home.ts'
import { findKeyFile, type KeyFile, signWith } from './key-file.ts'
import { red } from './style.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

export interface Unsigned {
  kind: ItemName['kind']
  /** The item of which it is a version. */
  id?: string | undefined
  /** What the slug of a new item is made from. */
  name: string
  version?: string | undefined
  /** The slug of the team that is to own a new item. */
  team?: string | undefined
  content: Uint8Array
}

export interface SignedBundle {
  /** What the publication takes. */
  signature: string
  version: string
  /** The key. */
  key: string
}

/** The key at a path, if it is one of this account at this server that signs. */
async function usableKey(context: Context, client: Client, path: string): Promise<KeyFile | undefined> {
  const key = await findKeyFile(path)
  if (!key || key.server !== (await context.url())) return undefined
  const { items } = await client.publisherKeys.list()
  if (items.some(({ id, revoked_at }) => id === key.id && revoked_at === null)) return key
  context.show(red('not signed'), `: the key at ${line(path)} is none of this account, or is revoked`)
  return undefined
}

/** The signature of a publication; undefined where there is no key for it. */
export async function signed(
  context: Context,
  client: Client,
  { path, what }: { path: string; what: Unsigned },
): Promise<SignedBundle | undefined> {
  const key = await usableKey(context, client, path)
  if (!key) return undefined
  const { kind, id, name, version, team, content } = what
  const sha256 = createHash('sha256').update(content).digest('hex')
  const draft = await client.publisherKeys.draft({
    ...{ kind, sha256, size: content.byteLength },
    ...(id === undefined ? { name, ...(team !== undefined && { team }) } : { id }),
    ...(version !== undefined && { version }),
  })
  const toSign = statementToSign(draft, { kind, ...(version !== undefined && { version }) })
  // What the server says is signed as it stands: it has to be about this file.
  const isOthers = id === undefined ? toSign.owner !== null && team === undefined : toSign.item !== id
  if (toSign.sha256 !== sha256 || isOthers)
    throw new RefusedError('statement', 'The server gave a statement about something else; nothing is signed')
  const signatures = [{ keyid: key.id, sig: signWith(key, toSign.message) }]
  return { signature: JSON.stringify({ ...draft, signatures }), version: toSign.version, key: key.id }
}
