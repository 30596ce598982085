// `npm run admin -- rotate-key`: another signing key in two steps. Both print settings: keys are not in the database. The first one is in
// the audit log, which tells the second one when it is due.
import { listAudit, record } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import type { SigningKey } from '../config/signing-key.ts'
import type { Db } from '../database/schema.ts'
import { signingKeyActions } from '../identity/audit-actions.ts'
import { ACCESS_SECONDS, newSigningKey, openKeys } from '../oauth/server/server.ts'
import { after, systemClock, timestamp } from '../runtime/clock.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import type { Call, Command } from './command.ts'
import type { Output } from './output.ts'
import { withDatabase } from './with-accounts.ts'

export const rotateKey: Command = {
  usage: 'rotate-key [--finish | --leaked]',
  summary: `makes another signing key, prints the settings to start every process with, and
says when --finish is due, which drops the old key. With --leaked nothing that the
old key signed or protects is good any more`,
  parameters: [0, 0],
  options: { finish: { type: 'boolean' }, leaked: { type: 'boolean' } },
  run,
}

/** Tokens live for ACCESS_SECONDS; a process may be started again this much later than the key was made. */
const RESTART_SECONDS = 3_600

const publicHalf = ({ kty, crv, x, kid }: SigningKey) => ({ kty, crv, x, kid })
const dueAfter = (now: string) => after(now, RESTART_SECONDS + ACCESS_SECONDS)

async function run({ settings, options, output }: Call): Promise<number> {
  const { finish, leaked } = options
  if (finish && leaked) {
    output.complain('Use --finish or --leaked, not both.')
    return 2
  }
  const config = settings()
  return withDatabase(config, (db) =>
    finish ? drop(config, db, output) : make(config, db, { output, leaked: !!leaked }),
  )
}

async function make(config: Config, db: Db, { output, leaked }: { output: Output; leaked: boolean }): Promise<number> {
  const { signing: old } = await openKeys(config)
  const key = newSigningKey()
  const now = timestamp(systemClock.now())
  const due = leaked ? now : dueAfter(now)
  const settings = {
    SIGNING_KEY: key,
    PREVIOUS_KEYS: leaked ? [] : [publicHalf(old), ...config.previousKeys.map(publicHalf)],
    ...(leaked ? {} : { SECRETS_KEY: config.secretsKey ?? old }),
    ...(config.logKey ? { LOG_KEY: config.logKey } : {}),
  }
  const detail = { from: old.kid, to: key.kid, leaked, due }
  await record(db, now, { action: signingKeyActions.rotate, actorId: null, targetId: key.kid, detail })
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${JSON.stringify(value)}'`)
  output.result({ settings, due }, [...lines, '', ...(leaked ? WHAT_ENDS : whatIsNext(due))].join('\n'))
  return 0
}

const whatIsNext = (due: string): string[] => [
  'Keep these settings with your secrets, and start every process with them within an hour. Tokens of the old key stay good.',
  `The second step is due at ${due}: npm run admin -- rotate-key --finish`,
]

const WHAT_ENDS = [
  'Start every process with these settings now, and remove SECRETS_KEY. What the old key signed or protects ends: tokens of apps',
  'and agents, personal access tokens, links in mails, mail that waits, and the secrets of webhooks, which need new ones. Without a',
  'LOG_KEY the public log has another key too, and clients that know the old one complain.',
]

/** The newest rotation of any kind. */
async function findRotation(db: Db) {
  const [found] = await listAudit(db, { action: signingKeyActions.rotate.name }, { offset: 0, limit: 1 })
  if (!found) return undefined
  const { from, to, due } = parseJson<{ from: string; to: string; due: string }>(required(found.detail))
  return { from, to, due }
}

async function drop(config: Config, db: Db, output: Output): Promise<number> {
  const rotation = await findRotation(db)
  const { signing } = await openKeys(config)
  const complaint = !rotation
    ? 'No key was rotated: the first step is npm run admin -- rotate-key.'
    : rotation.to !== signing.kid
      ? `The settings here still name the key ${signing.kid}; the first step made ${rotation.to}.`
      : timestamp(systemClock.now()) < rotation.due
        ? `Tokens of the old key may still be in use: this is due at ${rotation.due}.`
        : undefined
  if (complaint !== undefined) {
    output.complain(complaint)
    return 1
  }
  output.result(
    { settings: { PREVIOUS_KEYS: [] }, dropped: config.previousKeys.map(({ kid }) => kid) },
    `Remove PREVIOUS_KEYS and start every process again: nothing that is still good was signed by ${config.previousKeys.map(({ kid }) => kid).join(', ') || 'an old key'}. Keep SECRETS_KEY.`,
  )
  return 0
}

/** When the second step of a rotation is due; undefined where no old key is published. For `check`. */
export async function dueOfRotation(config: Config, db: Db): Promise<string | undefined> {
  return config.previousKeys.length === 0 ? undefined : (await findRotation(db))?.due
}
