// accept: the invitations that wait for me, by what they are about.
import type { Invitation } from '../../client/src/derived/api.ts'
import type { CommandLine, Context } from './command.ts'
import { nameText, readName } from './home.ts'
import { personOf } from './owners.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

/** What an invitation is about, as the command takes it. */
const aboutOf = ({ item, team }: Invitation): string => (item ? nameText(item) : `team/${team?.slug ?? ''}`)

const isOffer = ({ role }: Invitation) => role === 'transfer'

/** Lists what waits; with a name it accepts or declines that. */
export async function accept(context: Context, { words: [word], values }: CommandLine): Promise<void> {
  const isDeclining = values['decline'] === true
  if (word === undefined && isDeclining) throw new UsageError('What? guildhall accept lists what waits for you')
  const { library, teams } = await context.ownClient()
  const { items } = await library.invitations()
  if (word === undefined) return list(context, items)
  const invitation = chosen(items, word)
  const { id, item, team, role } = invitation
  const about = bold(line(aboutOf(invitation)))
  if (isDeclining) {
    context.report(await library.endInvitation({ id }))
    return context.say('Declined: ', about)
  }
  if (!item) {
    context.report(await teams.join({ slug: team?.slug ?? '' }))
    return context.say('You belong to ', about, ` as ${role}`)
  }
  const taken = await library.acceptInvitation({ id })
  const now = !isOffer(invitation) ? `You are ${role} of ` : team ? `Team ${line(team.slug)} has ` : 'You have '
  context.say(now, bold(nameText(taken)))
  context.report(taken)
}

function list(context: Context, items: readonly Invitation[]): void {
  for (const one of items) {
    const what = isOffer(one) ? `offered to ${one.team ? `team ${line(one.team.slug)}` : 'you'}` : `as ${one.role}`
    const when = one.expires_at.slice(0, 10)
    context.say(bold(line(aboutOf(one))), `  ${what}, by ${personOf(one.invited_by)}, until ${when}  ${one.id}`)
  }
  if (items.length === 0) context.say('No invitation waits for you.')
  context.report(items)
}

/** By what it is about (plural kinds and ids too), or by the invitation's own id. */
function chosen(items: readonly Invitation[], word: string): Invitation {
  const name = readName(word)
  const about = name ? nameText(name) : word
  const isMeant = (one: Invitation) =>
    [one.id, one.item?.id, one.item && `${one.item.kind}/${one.item.id}`, aboutOf(one)].includes(about)
  const [first, ...others] = items.filter(isMeant)
  if (!first)
    throw new RefusedError('not_found', `No invitation to ${line(word)} waits for you: guildhall accept lists them`)
  if (others.length === 0) return first
  throw new UsageError(`Several wait for ${word}: write the id of one, as guildhall accept lists them`)
}
