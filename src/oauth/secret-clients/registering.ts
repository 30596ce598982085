// What an admin or the operator does with apps that have a secret: each act is in the audit log.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { lockName } from '../../database/engine.ts'
import type { SecretClientTable, Transaction } from '../../database/schema.ts'
import { newClientSecret } from '../../identity/checked-secret.ts'
import { deleteGrantsOfClient } from '../../identity/grant-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { keyedHash } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { secretClientActions } from './contract.ts'
import * as queries from './queries.ts'
import { MAX_SECRET_CLIENTS, rotated } from './rules.ts'

type Secrets = Pick<Dependencies, 'secretFor'>

/** The hash of a secret: it is of one app, and of no other. */
export const secretHash = async ({ secretFor }: Secrets, secret: string, clientId: string): Promise<string> =>
  keyedHash(await secretFor('client secrets'), secret, clientId)

interface Acting {
  actorId: string | null
  now: string
  address?: string
}

interface RegisteredApp {
  client: queries.SecretClient
  secret: string
}

const noSuchApp = () => new Problem('not_found', 'No such app')

/** Registers an app. Throws `conflict` where there are too many. */
export async function registerSecretClient(
  parts: Secrets,
  db: Transaction,
  { name, method, ...acting }: Pick<SecretClientTable, 'name' | 'method'> & Acting,
): Promise<RegisteredApp> {
  await lockName(db, 'secret clients')
  if ((await queries.listSecretClients(db, MAX_SECRET_CLIENTS)).length >= MAX_SECRET_CLIENTS)
    throw new Problem('conflict', `There are at most ${MAX_SECRET_CLIENTS} apps with a secret; end one first`)
  const { now, ...by } = acting
  const [id, secret] = [newId(), newClientSecret()]
  const hash = await secretHash(parts, secret, id)
  const none = { formerHash: null, formerUntil: null, lastUsedAt: null }
  const client = { ...none, id, name, method, hash, createdAt: now, secretAt: now }
  await queries.insertSecretClient(db, client)
  await record(db, now, { ...by, action: secretClientActions.create, targetId: id, detail: { name, method } })
  return { client, secret }
}

/** Makes a new secret of an app; the one before it stays good for so many hours. */
export async function rotateSecret(
  parts: Secrets,
  db: Transaction,
  { id, overlapHours, ...acting }: { id: string; overlapHours: number } & Acting,
): Promise<RegisteredApp> {
  const { now, ...by } = acting
  const found = await queries.lockSecretClient(db, id)
  if (!found) throw noSuchApp()
  const secret = newClientSecret()
  const hash = await secretHash(parts, secret, id)
  const changes = rotated(found, { hash, formerUntil: after(now, overlapHours * 3_600), now })
  await queries.updateSecretClient(db, id, changes)
  const detail = { name: found.name, overlapHours }
  await record(db, now, { ...by, action: secretClientActions.rotate, targetId: id, detail })
  return { client: { ...found, ...changes }, secret }
}

/** Ends an app: its secrets, its grants and their tokens. */
export async function endSecretClient(db: Transaction, { id, now, ...by }: { id: string } & Acting): Promise<void> {
  const found = await queries.lockSecretClient(db, id)
  if (!found) throw noSuchApp()
  await queries.deleteSecretClient(db, id)
  const grants = await deleteGrantsOfClient(db, id)
  const detail = { name: found.name, grants }
  await record(db, now, { ...by, action: secretClientActions.end, targetId: id, detail })
}

/** An app as admins see it: without its secrets. */
export const shownClient = (
  { id, name, method, createdAt, secretAt, formerUntil, lastUsedAt }: queries.SecretClient,
  now: string,
) => ({
  ...{ id, name, method, createdAt, secretAt, lastUsedAt },
  formerUntil: formerUntil !== null && formerUntil > now ? formerUntil : null,
})
