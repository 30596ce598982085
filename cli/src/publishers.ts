// publishers: the CIs that publish without a stored secret. Listing, adding and removing them.
import type { TrustedPublisher } from '../../client/src/derived/api.ts'
import type { CommandLine, Context, Values } from './command.ts'
import { readName } from './home.ts'
import { readItem } from './item-of.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { UsageError } from './usage.ts'

type Run = (context: Context, given: { words: string[]; values: Values }) => Promise<void>

/** What people call issuers. */
const ISSUERS: Readonly<Record<string, string>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
}

function show({ say }: Context, { id, kind, slug, item_id, ...run }: TrustedPublisher): void {
  const where = [run.ref, run.environment === null ? null : `environment ${run.environment}`].filter(Boolean).join(', ')
  const used = run.last_used_at === null ? 'not used yet' : `last used ${run.last_used_at}`
  const name = `${kind}/${slug}${item_id === null ? ' (not published yet)' : ''}`
  say(bold(id), `  ${name}  ${line(run.repository)} ${line(run.workflow)} ${line(where)}  ${used}`)
}

const list: Run = async (context, { words: [text] }) => {
  const client = await context.ownClient()
  const item = text === undefined ? undefined : (await readItem(text)(client)).id
  const { items } = await client.trustedPublishers.list(item === undefined ? {} : { item })
  for (const publisher of items) show(context, publisher)
  if (items.length === 0) context.say('No CI publishes.')
  context.report(items)
}

const add: Run = async (context, { words: [text = ''], values }) => {
  const { issuer = 'github', repository, workflow, ref, environment, new: isNew } = values
  const name = readName(text)
  if (typeof repository !== 'string' || typeof workflow !== 'string')
    throw new UsageError('Say which runs: --repository owner/name --workflow publish.yml --ref main')
  if (ref === undefined && environment === undefined)
    throw new UsageError('Say which runs: --ref main, --environment release, or both')
  if (isNew === true && !name)
    throw new UsageError('Say what it will be called: kind/slug, such as workflow/morning-digest')
  const find = isNew === true ? undefined : readItem(text)
  const client = await context.ownClient()
  const of = find ? { item: (await find(client)).id } : { kind: name?.kind, slug: name?.slug }
  const publisher = await client.trustedPublishers.add({
    ...{ ...of, repository, workflow, issuer: ISSUERS[String(issuer)] ?? String(issuer) },
    ...(typeof ref === 'string' && { ref }),
    ...(typeof environment === 'string' && { environment }),
  })
  show(context, publisher)
  context.say(
    `In that workflow: guildhall publish FILE --ci --server ${await context.url()} --item ${publisher.kind}/${publisher.slug}`,
  )
  context.report(publisher)
}

const remove: Run = async (context, { words: [id = ''] }) => {
  await (await context.ownClient()).trustedPublishers.remove({ id })
  context.say('Removed ', bold(line(id)), '; its tokens have ended')
  context.report({ id })
}

const verbs: Readonly<Record<string, Run>> = { list, add, remove }

export async function publishers(context: Context, { words: [verb = '', ...words], values }: CommandLine) {
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!run)
    throw new UsageError('Write publishers list [KIND/SLUG], publishers add KIND/SLUG ... or publishers remove ID')
  await run(context, { words, values })
}
