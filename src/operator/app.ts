// `npm run admin -- app`: apps with a secret (oauth/secret-clients), from the command line. Each act is in the audit log, with the operator as its actor.
import { Problem } from '../contract/problem.ts'
import { secretClients } from '../oauth/secret-clients/contract.ts'
import {
  endSecretClient,
  listSecretClients,
  MAX_SECRET_CLIENTS,
  registerSecretClient,
  rotateSecret,
  shownClient,
} from '../oauth/secret-clients/secret-clients.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command } from './command.ts'
import { type AccountParts, withAccounts } from './with-accounts.ts'

export const app: Command = {
  usage: 'app [<act>] [<name or id>]',
  summary: `lists apps with a secret, for assertions of an identity provider (ID-JAG); add <name>
[--post] registers one (--post: it shows its secret in the form, not by Basic),
rotate <id> [--overlap <hours>] makes a new secret (the one before stays good for a
day, with 0 not at all), end <id> ends it with its tokens. A secret is printed once`,
  parameters: [0, 2],
  options: { post: { type: 'boolean' }, overlap: { type: 'string' } },
  run,
}

interface Acting extends AccountParts {
  now: string
  call: Call
  named: string
}

/** An act gives the sentence of what is wrong with its arguments; undefined where it was done. */
const acts: Readonly<Record<string, (acting: Acting) => Promise<string | undefined>>> = {
  async add({ call: { options, output }, named, now, ...parts }) {
    const method = options['post'] === true ? 'client_secret_post' : 'client_secret_basic'
    const { data } = secretClients.create.input.safeParse({ name: named, method })
    if (!data) return 'The name has 1 to 60 characters.'
    const { client, secret } = await parts.db
      .transaction()
      .execute((db) => registerSecretClient(parts, db, { ...data, actorId: null, now }))
    tell(output, { client, secret }, now)
    return undefined
  },

  async rotate({ call: { options, output }, named, now, ...parts }) {
    const hours = options['overlap']
    const given = { id: named, ...(hours !== undefined && { overlapHours: hours === '' ? Number.NaN : Number(hours) }) }
    const { data } = secretClients.rotate.input.safeParse(given)
    if (!data) return 'Name the id of an app; --overlap has 0 to 168 hours.'
    const made = await parts.db.transaction().execute((db) => rotateSecret(parts, db, { ...data, actorId: null, now }))
    tell(output, made, now)
    return undefined
  },

  async end({ call: { output }, named, now, db }) {
    await db.transaction().execute((transaction) => endSecretClient(transaction, { id: named, actorId: null, now }))
    output.result({ id: named }, 'The app is ended, with its secrets and tokens.')
    return undefined
  },
}

async function run(call: Call): Promise<number> {
  const { settings, parameters, output } = call
  const [name, named] = parameters
  const act = name !== undefined && Object.hasOwn(acts, name) ? acts[name] : undefined
  if (name !== undefined && (!act || named === undefined)) {
    output.complain('Use: app, app add <name>, app rotate <id>, or app end <id>.')
    return 2
  }
  return withAccounts(settings(), async (parts) => {
    const now = timestamp(systemClock.now())
    if (!act || named === undefined) return list(parts, output, now)
    try {
      const wrong = await act({ ...parts, now, call, named })
      if (wrong !== undefined) output.complain(wrong)
      return wrong === undefined ? 0 : 2
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      output.complain(`${error.message}.`)
      return 1
    }
  })
}

async function list({ db }: AccountParts, output: Call['output'], now: string): Promise<number> {
  const apps = (await listSecretClients(db, MAX_SECRET_CLIENTS)).map((client) => shownClient(client, now))
  const lines = apps.map(
    ({ id, name, method, lastUsedAt }) => `${id}  ${method}  ${lastUsedAt ?? 'never used'}  ${name}`,
  )
  output.result(apps, lines.length > 0 ? lines.join('\n') : 'There is no app with a secret.')
  return 0
}

function tell(
  output: Call['output'],
  { client, secret }: Awaited<ReturnType<typeof registerSecretClient>>,
  now: string,
): void {
  const shown = shownClient(client, now)
  const way = client.method === 'client_secret_post' ? 'in the form' : 'by HTTP Basic'
  output.result(
    { ...shown, secret },
    `client_id      ${client.id}\nclient_secret  ${secret}\nThe app shows its secret ${way}. It is not shown again.`,
  )
}
