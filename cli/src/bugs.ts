// bug list and bug show: bugs as people read them.
import type { Client } from '../../client/src/create-client.ts'
import type { BugEntry, ListedBugComment } from '../../client/src/derived/api.ts'
import type { CommandLine, Context } from './command.ts'
import { isId } from './item-of.ts'
import { limitOf, list } from './listing.ts'
import { bold } from './style.ts'
import { line, plain } from './text.ts'
import { findThing } from './things.ts'
import { RefusedError } from './usage.ts'

const day = (timestamp: string) => timestamp.slice(0, 10)
const by = (username: string | null) => (username === null ? '' : ` by ${line(username)}`)
const state = ({ status, severity }: BugEntry) => `${status.replace('_', ' ')}, ${severity}`
const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`

/** Bugs of these words and filters, newest or most voted first. The server checks the filters. */
export async function listBugs(context: Context, { words, values }: CommandLine): Promise<void> {
  const { bugs } = await context.client()
  const filters: Record<string, unknown> = words.length === 0 ? {} : { q: words.join(' ') }
  for (const name of ['status', 'severity', 'sort', 'label', 'item', 'version']) {
    if (values[name] !== undefined) filters[name] = values[name]
  }
  const entries = bugs.all(filters as Parameters<typeof bugs.all>[0], { limit: limitOf(values) })
  await list(context, entries, (bug) => {
    const { number, title, authorUsername, createdAt, score, commentCount } = bug
    return `#${number}  ${line(title)}  (${state(bug)})${by(authorUsername)}, ${day(createdAt)}, score ${score}, comments ${commentCount}`
  })
}

/** A bug with the beginning of what was said to it. */
export async function showBug(context: Context, { words: [word = ''], values }: CommandLine): Promise<void> {
  const limit = limitOf(values)
  const client = await context.client()
  const bug = await client.bugs.get({ id: await idOf(client, word) })
  const comments: ListedBugComment[] = []
  for await (const comment of client.bugs.comments.all({ id: bug.id }, { limit })) comments.push(comment)
  context.say(bold(`#${bug.number}`), `  ${line(bug.title)}`)
  context.say(`${state(bug)}${by(bug.authorUsername)}, ${day(bug.createdAt)}, score ${bug.score}`)
  if (bug.labels.length > 0) context.say(`labels: ${line(bug.labels.map(({ name }) => name).join(', '))}`)
  if (bug.about) context.say(`about: ${line(`${bug.about.kind}/${bug.about.slug}@${bug.about.version}`)}`)
  context.say(`page: ${line(bug.href)}`)
  context.say(`\n${plain(bug.description.trimEnd())}`)
  for (const { body, authorUsername, createdAt } of comments) {
    context.say('\n', bold(`${line(authorUsername ?? 'a member')}, ${day(createdAt)}`))
    context.say(plain(body.trimEnd()))
  }
  const more = bug.commentCount - comments.length
  if (more > 0) context.say(`\nand ${count(more, 'more comment')}: --limit shows more`)
  context.report({ ...bug, comments })
}

/** The id of a bug that is named by its number, as bug/<id>, or by its id alone. */
async function idOf(client: Client, word: string): Promise<string> {
  if (isId(word)) return word
  const { slice, id } = await findThing(client, word)
  if (slice === 'bugs') return id
  throw new RefusedError('not_found', `${line(word)} is no bug`)
}
