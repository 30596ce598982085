// Teams: which ones I belong to, what one is, making one, and its people.
import type { CommandLine, Context } from './command.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

type Run = (context: Context, line: CommandLine) => Promise<void>

const list: Run = async (context) => {
  const { items } = await (await context.ownClient()).teams.mine()
  for (const { slug, name, role, item_count } of items) {
    context.say(bold(line(slug)), `  ${line(name)}  ${role}, ${item_count} item${item_count === 1 ? '' : 's'}`)
  }
  if (items.length === 0) context.say('You belong to no team.')
  context.report(items)
}

const info: Run = async (context, { words: [slug = ''] }) => {
  const { teams } = await context.client()
  const team = await teams.get({ slug })
  const { items: people } = await teams.members({ slug })
  context.say(bold(line(team.slug)), `  ${line(team.name)}`)
  if (team.description !== '') context.say(line(team.description))
  context.say(`${team.item_count} item${team.item_count === 1 ? '' : 's'}: ${line(team.href)}`)
  for (const { account, role, since } of people) {
    context.say(`${line(account.username ?? account.name ?? 'a member')}  ${role} since ${since.slice(0, 10)}`)
  }
  context.report({ ...team, people })
}

const create: Run = async (context, { words: [slug = ''], values: { name, description } }) => {
  const { teams } = await context.ownClient()
  const about = typeof description === 'string' ? { description } : {}
  const team = await teams.create({ slug, name: typeof name === 'string' ? name : slug, ...about })
  context.say('Made the team ', bold(line(team.slug)), `: ${line(team.href)}`)
  context.report(team)
}

const invite: Run = async (context, { words: [slug = '', username = ''], values: { role = 'member' } }) => {
  if (role !== 'member' && role !== 'owner') throw new UsageError('--role is member or owner')
  const { teams } = await context.ownClient()
  const invitation = await teams.invite({ slug, username, role })
  context.say(`Invited ${line(username)} until ${invitation.expires_at.slice(0, 10)}`)
  context.report(invitation)
}

const join: Run = async (context, { words: [slug = ''] }) => {
  const team = await (await context.ownClient()).teams.join({ slug })
  context.say('You belong to ', bold(line(team.slug)), ` as ${team.role ?? 'member'}`)
  context.report(team)
}

const remove: Run = async (context, { words: [slug = '', username = ''] }) => {
  const { teams } = await context.ownClient()
  const { items } = await teams.members({ slug })
  const member = items.find(({ account }) => account.username?.toLowerCase() === username.toLowerCase())
  if (!member) throw new RefusedError('not_found', `${username} does not belong to ${slug}`)
  context.report(await teams.remove({ slug, accountId: member.account.id }))
  context.say(`Removed ${line(username)} from `, bold(line(slug)))
}

const leave: Run = async (context, { words: [slug = ''] }) => {
  const { teams, library } = await context.ownClient()
  const { user } = await library.me()
  context.report(await teams.remove({ slug, accountId: user.id }))
  context.say('You left ', bold(line(slug)))
}

/** Each with how many words it takes. */
const actions: Readonly<Record<string, { run: Run; words: number }>> = {
  list: { run: list, words: 0 },
  info: { run: info, words: 1 },
  new: { run: create, words: 1 },
  invite: { run: invite, words: 2 },
  join: { run: join, words: 1 },
  remove: { run: remove, words: 2 },
  leave: { run: leave, words: 1 },
}

export async function team(context: Context, { words: [verb = '', ...words], values }: CommandLine): Promise<void> {
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined
  if (!action || words.length !== action.words) {
    throw new UsageError(`guildhall team takes ${Object.keys(actions).join(', ')}: see guildhall help team`)
  }
  await action.run(context, { words, values })
}
