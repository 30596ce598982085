// Keys for signing versions: new, list, revoke, and signing what is published. The secret half stays in a file with mode 0600.
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isCode } from '../../client/src/turns.ts'
import { statementToSign } from '../../client/src/verify-statement.ts'
import type { Context } from './command.ts'
import { readSpec } from './item-of.ts'
import { findKeyFile, type KeyFile, signWith } from './key-file.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

type Run = (context: Context, given: { words: string[]; path: string }) => Promise<void>

async function create(context: Context, { words: [name = 'guildhall'], path }: { words: string[]; path: string }) {
  const client = await context.ownClient()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = Buffer.from(publicKey.export({ format: 'der', type: 'spki' }))
    .subarray(-32)
    .toString('base64')
  const private_key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const write = (content: object, flag: string) =>
    writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag })
  const server = await context.url()
  // Nothing is replaced: what the old key signed could not be signed again.
  await write({ server, id: '', public_key, private_key }, 'wx').catch((error: unknown) => {
    if (isCode(error, 'EEXIST')) throw new RefusedError('exists', `There is a key at ${path}: move it away first`)
    throw error
  })
  const { id } = await client.publisherKeys.add({ name, public_key })
  await write({ server, id, public_key, private_key }, 'w')
  context.say('Added the key ', bold(id), `; its secret half is at ${line(path)}`)
  context.report({ id, public_key, path })
}

const list: Run = async (context) => {
  const { items } = await (await context.ownClient()).publisherKeys.list()
  for (const { id, name, revoked_at } of items)
    context.say(bold(id), `  ${line(name)}${revoked_at === null ? '' : `  revoked ${revoked_at}`}`)
  if (items.length === 0) context.say('There are no keys.')
  context.report(items)
}

const revoke: Run = async (context, { words: [id = ''] }) => {
  const key = await (await context.ownClient()).publisherKeys.revoke({ id })
  context.say('Revoked ', bold(key.id))
  context.report(key)
}

/** Signs the statement of a version that was published, after a look at what it says. */
const sign: Run = async (context, { words: [text = ''], path }) => {
  const find = readSpec(text)
  if (!text.includes('@')) throw new UsageError('Say which version: kind/slug@1.2.0')
  const client = await context.ownClient()
  const key = await readKeyFile(path)
  const { range: version, id, kind, slug } = await find(client)
  const statement = await client.transparency.findStatement({ kind, slug, version })
  const { message, item, name, sha256 } = statementToSign(statement, { kind, slug, version })
  if (id !== undefined && item !== id) throw new RefusedError('resolve', `The statement is about another item, ${item}`)
  const signature = signWith(key, message)
  await client.publisherKeys.sign({ id: item, version, key_id: key.id, signature })
  context.say('Signed ', bold(`${name}@${version}`), ` (sha256 ${sha256})`)
  context.report({ name: `${name}@${version}`, sha256, key: key.id })
}

async function readKeyFile(path: string): Promise<KeyFile> {
  const key = await findKeyFile(path)
  if (!key) throw new UsageError(`There is no key at ${path}: run guildhall key new`)
  return key
}

const verbs: Readonly<Record<string, Run>> = { new: create, list, revoke, sign }

export async function key(context: Context, { words: [verb = '', ...words], path }: { words: string[]; path: string }) {
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!run) throw new UsageError('Write key new [NAME], key list, key revoke ID or key sign KIND/SLUG@VERSION')
  await run(context, { words, path })
}
