// owners, invite, transfer: who an item belongs to, and whom its owners ask to join or to take it over.
import type { Client } from '../../client/src/create-client.ts'
import type { Invitation, Item } from '../../client/src/derived/api.ts'
import type { CommandLine, Context, Values } from './command.ts'
import { nameText } from './home.ts'
import { readItem } from './item-of.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

type Account = { username: string | null; name: string | null }

/** How a person is named. */
export const personOf = (account: Account | undefined): string =>
  line(account?.username ?? account?.name ?? 'a deleted user')

const until = ({ expires_at }: Invitation) => `until ${expires_at.slice(0, 10)}`

function roleOf({ role }: Values): 'owner' | 'maintainer' | undefined {
  if (role === undefined || role === 'owner' || role === 'maintainer') return role
  throw new UsageError('--role is owner or maintainer')
}

/** Lists the people of an item; with a username it changes the role of one, or removes it. */
export async function owners(context: Context, { words: [word = '', username], values }: CommandLine): Promise<void> {
  const find = readItem(word)
  const [role, isRemoving] = [roleOf(values), values['remove'] === true]
  if (username === undefined) {
    if (role !== undefined || isRemoving) throw new UsageError('Whom? Write guildhall owners KIND/SLUG USER')
    return list(context, await context.client(), find)
  }
  if ((role === undefined) !== isRemoving) throw new UsageError('Write either --role or --remove after the username')
  const client = await context.ownClient()
  const item = await find(client)
  const { items } = await client.library.maintainers({ id: item.id })
  const member = items.find(({ account }) => isNamed(account, username))
  if (!member) throw new RefusedError('not_found', `${line(username)} has no role on ${nameText(item)}`)
  const one = { id: item.id, accountId: member.account.id }
  if (role === undefined) {
    context.report(await client.library.removeMaintainer(one))
    context.say(`Removed ${line(username)} from `, bold(nameText(item)))
  } else {
    context.report(await client.library.setMaintainerRole({ ...one, role }))
    context.say(`${line(username)} is ${role} of `, bold(nameText(item)))
  }
}

async function list(context: Context, client: Client, find: ReturnType<typeof readItem>): Promise<void> {
  const item = await find(client)
  const people = await client.library.maintainers({ id: item.id })
  context.say(bold(nameText(item)), people.team ? `  team ${line(people.team.name)} (${line(people.team.slug)})` : '')
  for (const { account, role, since } of people.items) {
    context.say(`${personOf(account)}  ${role} since ${since.slice(0, 10)}`)
  }
  for (const one of people.invitations ?? []) {
    const whom = one.account ? personOf(one.account) : `team ${line(one.team?.slug ?? '')}`
    context.say(
      one.role === 'transfer' ? `offered to ${whom} ${until(one)}` : `${whom}  invited as ${one.role} ${until(one)}`,
    )
  }
  context.report({ name: nameText(item), ...people })
}

const isNamed = (account: Account | undefined, username: string) =>
  account?.username?.toLowerCase() === username.toLowerCase()

/** Invites an account to own or maintain an item, or takes the invitation back. */
export async function invite(
  context: Context,
  { words: [word = '', username = ''], values }: CommandLine,
): Promise<void> {
  const find = readItem(word)
  const role = roleOf(values)
  const client = await context.ownClient()
  const item = await find(client)
  if (values['withdraw'] === true) {
    const isMeant = (one: Invitation) => one.role !== 'transfer' && isNamed(one.account, username)
    return withdraw(context, { client, item, isMeant })
  }
  const invitation = await client.library.addMaintainer({ id: item.id, username, ...(role && { role }) })
  context.say(`Invited ${line(username)} as ${invitation.role} of `, bold(nameText(item)), ` ${until(invitation)}`)
  context.report(invitation)
}

/** Offers an item to an account or a team, or takes the offer back. */
export async function transfer(context: Context, { words: [word = '', username], values }: CommandLine): Promise<void> {
  const find = readItem(word)
  const team = values['team'] as string | undefined
  const isWithdrawn = values['withdraw'] === true
  if ([username !== undefined, team !== undefined, isWithdrawn].filter(Boolean).length !== 1)
    throw new UsageError('To whom? Write a username, --team SLUG, or --withdraw')
  const client = await context.ownClient()
  const item = await find(client)
  if (isWithdrawn) return withdraw(context, { client, item, isMeant: ({ role }) => role === 'transfer' })
  const whom = team === undefined ? { username: username as string } : { team }
  const offer = await client.library.transfer({ id: item.id, ...whom })
  const name = team === undefined ? line(username as string) : `team ${line(team)}`
  context.say('Offered ', bold(nameText(item)), ` to ${name} ${until(offer)}: it stays yours until they accept`)
  context.report(offer)
}

interface Withdrawn {
  client: Client
  item: Item
  isMeant(one: Invitation): boolean
}

async function withdraw(context: Context, { client, item, isMeant }: Withdrawn): Promise<void> {
  const { invitations = [] } = await client.library.maintainers({ id: item.id })
  const invitation = invitations.find(isMeant)
  if (!invitation) throw new RefusedError('not_found', `There is nothing to withdraw on ${nameText(item)}`)
  context.report(await client.library.endInvitation({ id: invitation.id }))
  context.say('Withdrawn: ', bold(nameText(item)))
}
