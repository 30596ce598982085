// search, feed, inbox, bug new, post, vote, comment.
import type { Command, Context, Values } from './command.ts'
import { limitOf, list } from './listing.ts'
import { line } from './text.ts'
import { findThing, nameOf } from './things.ts'
import { UsageError } from './usage.ts'

const board = { type: 'string' } as const
const listOptions = { limit: { type: 'string' }, type: { type: 'string' }, board } as const

/** The filters by type and board, as the server checks them. */
const typed = ({ type, board }: Values) => ({
  ...(type !== undefined && { type: type as never }),
  ...inBoard({ board }),
})
const inBoard = ({ board }: Values) => (typeof board === 'string' ? { board } : {})
const day = (timestamp: string) => timestamp.slice(0, 10)
const by = (username: string | null) => (username === null ? '' : ` by ${line(username)}`)

const search: Command = {
  usage: 'WORDS... [--type bug,post] [--board labs] [--limit 20]',
  summary: 'Search everything that is public',
  options: listOptions,
  words: [1, 100],
  async run(context, { words, values }) {
    const { search } = await context.client()
    const hits = search.find.all({ q: words.join(' '), ...typed(values) }, { limit: limitOf(values) })
    const text = (parts: { text: string }[]) => line(parts.map((part) => part.text).join(''))
    await list(
      context,
      hits,
      ({ type, id, title, authorUsername }) => `${nameOf({ type, id })}  ${text(title)}${by(authorUsername)}`,
    )
  },
}

const feed: Command = {
  usage: '[--type bug] [--board labs] [--limit 20]',
  summary: 'Show what is new',
  options: listOptions,
  words: [0, 0],
  async run(context, { values }) {
    const { feed } = await context.client()
    const entries = feed.all(typed(values), { limit: limitOf(values) })
    await list(context, entries, (entry) => {
      const { title, authorUsername, createdAt, score, commentCount } = entry
      return `${nameOf(entry)}  ${line(title)}${by(authorUsername)}, ${day(createdAt)}, score ${score}, comments ${commentCount}`
    })
  },
}

const inbox: Command = {
  usage: '[--all] [--read] [--board labs] [--limit 20]',
  summary: 'Show your notifications: unread ones, or all',
  details: '  --read   mark what was shown as read',
  options: { all: { type: 'boolean' }, read: { type: 'boolean' }, limit: { type: 'string' }, board },
  words: [0, 0],
  async run(context, { values }) {
    const { notifications } = await context.ownClient()
    const shown: string[] = []
    const unread = values['all'] ? 'false' : 'true'
    const entries = notifications.all({ unread, ...inBoard(values) }, { limit: limitOf(values) })
    await list(context, entries, ({ id, type, target, actor, excerpt, createdAt }) => {
      shown.push(id)
      return `${day(createdAt)}  ${type} on ${nameOf(target)} ${line(target.title)}${by(actor?.username ?? null)}\n    ${line(excerpt)}`
    })
    for (let at = 0; values['read'] && at < shown.length; at += 100)
      await notifications.read({ ids: shown.slice(at, at + 100) })
  },
}

/** A text of the command line; `-` reads it from the standard input. */
async function textOf({ readInput }: Context, values: Values, name: string): Promise<string> {
  const value = values[name]
  if (typeof value !== 'string') throw new UsageError(`--${name} is missing`)
  return value === '-' ? (await readInput()).trimEnd() : value
}

/** A version of an item as it is named: workflow/digest@1.0.0. */
function versionNamed(text: string): { item: string; version: string } {
  const [item = '', version = '', ...more] = text.split('@')
  if (item === '' || version === '' || more.length > 0) throw new UsageError('--about is such as workflow/digest@1.0.0')
  return { item, version }
}

const newBug: Command = {
  usage: '--title TITLE --description TEXT [--severity medium] [--about workflow/digest@1.0.0]',
  summary: 'File a bug',
  details:
    '  --description -   reads the text from the standard input\n  --severity        low, medium, high or critical\n  --about           the version of an item that it is about',
  options: {
    title: { type: 'string' },
    description: { type: 'string' },
    severity: { type: 'string' },
    about: { type: 'string' },
  },
  words: [0, 0],
  async run(context, { values }) {
    const title = await textOf(context, values, 'title')
    const description = await textOf(context, values, 'description')
    const about = typeof values['about'] === 'string' && { about: versionNamed(values['about']) }
    const client = await context.ownClient()
    const severity = (values['severity'] ?? 'medium') as never
    const bug = await client.bugs.create({ title, description, severity, ...about })
    context.say(`Filed #${bug.number}: ${await context.url()}/community/${bug.number}`)
    context.report(bug)
  },
}

const post: Command = {
  usage: '--title TITLE --body TEXT',
  summary: 'Write a post',
  details: '  --body -   reads the text from the standard input',
  options: { title: { type: 'string' }, body: { type: 'string' } },
  words: [0, 0],
  async run(context, { values }) {
    const title = await textOf(context, values, 'title')
    const body = await textOf(context, values, 'body')
    const written = await (await context.ownClient()).posts.create({ title, body })
    context.say(`Posted #${written.number}: ${await context.url()}/community/${written.number}`)
    context.report(written)
  },
}

const votes = { up: 1, down: -1, clear: 0 } as const

const vote: Command = {
  usage: 'THING up|down|clear',
  summary: 'Vote on a bug, a feature request, a post, an org, a release or a library item',
  details:
    '  THING is a number such as 128, an item such as workflow/digest, or an id, with its type or without: org/<id>',
  words: [2, 2],
  async run(context, { words: [word = '', choice = ''] }) {
    if (!Object.hasOwn(votes, choice)) throw new UsageError('Vote up, down or clear')
    const client = await context.ownClient()
    const { slice, id } = await findThing(client, word)
    const result = await client[slice].vote({ id, value: votes[choice as keyof typeof votes] })
    context.say(`The score is ${result.score}.`)
    context.report(result)
  },
}

const comment: Command = {
  usage: 'THING TEXT|-',
  summary: 'Comment on a thing; - reads the text from the standard input',
  details:
    '  THING is a number such as 128, an item such as workflow/digest, or an id, with its type or without: org/<id>',
  words: [2, 2],
  async run(context, { words: [word = '', given = ''] }) {
    const body = given === '-' ? (await context.readInput()).trimEnd() : given
    const client = await context.ownClient()
    const { slice, id } = await findThing(client, word)
    const written = await client[slice].comment({ id, body })
    context.say(`Commented: ${await context.url()}/community/comments/${written.id}`)
    context.report(written)
  },
}

export const communityCommands = { search, feed, inbox, 'bug new': newBug, post, vote, comment }
