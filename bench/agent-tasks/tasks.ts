// What agents are asked to do: each task is a script over operations, and its result is compared with what is right. `ours` is what an agent
// with our tools does instead, where a tool does more than one operation.
import { workflowFile } from '../../test/library.ts'
import type { World } from '../../test/world.ts'
import { type OurSession, type Session, WORKFLOW } from './sessions.ts'

export interface Task {
  name: string
  run(session: Session): Promise<unknown>
  ours?(session: OurSession): Promise<unknown>
  right: unknown
}

interface List {
  items: { id: string; number: number; title: string; type: string; name: string; slug: string }[]
  total: number
  unread: number
}

/** A community in which the agent's user is alice. */
export async function furnish({ alice, bob, app }: World): Promise<void> {
  await alice.profile.setUsername({ username: 'alice' })
  await bob.profile.setUsername({ username: 'bob' })
  for (let n = 0; n < 24; n++) {
    const severity = n % 3 === 0 ? 'high' : 'low'
    await bob.bugs.create({
      title: `Problem ${n} with the board`,
      description: 'It stops after an hour. '.repeat(8),
      severity,
    })
    await bob.posts.create({ title: `Note ${n}`, body: 'Something that I tried. '.repeat(12) })
  }
  await bob.bugs.create({
    title: 'The digest is sent twice',
    description: 'On the night of the change',
    severity: 'high',
  })
  await bob.features.create({ title: 'Dark mode', description: 'For the night' })
  await bob.orgs.create({
    orgJson: JSON.stringify({ name: 'Invoice desk', goal: 'Invoices', roles: [{ id: 'solo' }] }),
  })
  const digest = await bob.library.publish({
    kind: 'workflow',
    visibility: 'public',
    file: workflowFile({ name: 'Morning digest' }),
  })
  await bob.library.publishVersion({
    id: digest.id,
    version: '1.1.0',
    file: workflowFile({ name: 'Morning digest', description: 'New' }),
  })
  await bob.library.addMaintainer({ id: digest.id, username: 'alice', role: 'maintainer' })
  const mine = await alice.bugs.create({ title: 'The queue stands still', description: 'Since noon', severity: 'low' })
  await bob.bugs.comment({ id: mine.id, body: 'Here too' })
  await bob.posts.create({ title: 'A question', body: '@alice, did you see it?' })
  await app.deliver()
}

const first = async (list: Promise<List>) => (await list).items[0]!
const bugAbout = (session: Session, q: string) => first(session.op('search.find', { q, type: 'bug', per_page: 3 }))
interface News extends List {
  pendingTotal: number
  recent: { title: string }[]
}
const newsOf = (session: OurSession) => session.tool<News>('what_is_new')

/** Questions. */
const reading: Task[] = [
  {
    name: 'the newest bug',
    run: async (s) => (await first(s.op<List>('bugs.list', { per_page: 1 }))).title,
    right: 'The queue stands still',
  },
  {
    name: 'how many bugs are high and open',
    run: async (s) => (await s.op<List>('bugs.list', { severity: 'high', status: 'open', per_page: 1 })).total,
    right: 9,
  },
  {
    name: 'is this bug known',
    run: async (s) => {
      const { items } = await s.op<{ items: { title: { text: string }[] }[] }>('search.find', {
        q: 'digest twice',
        type: 'bug',
      })
      return items[0]!.title.map(({ text }) => text).join('')
    },
    right: 'The digest is sent twice',
  },
  {
    name: 'read a bug',
    run: async (s) =>
      (await s.op<{ severity: string }>('bugs.get', { id: (await bugAbout(s, 'digest twice')).id })).severity,
    right: 'high',
  },
  {
    name: 'find a workflow',
    run: async (s) => (await first(s.op<List>('library.list', { q: 'morning', per_page: 3 }))).slug,
    right: 'morning-digest',
  },
  {
    name: 'the version of an item',
    run: async (s) =>
      (await s.op<{ version: string }>('library.find', { kind: 'workflow', slug: 'morning-digest' })).version,
    right: '1.1.0',
  },
  {
    name: 'what an update may newly do',
    run: async (s) => {
      const input = { kind: 'workflow', slug: 'morning-digest', from: '1.0.0', to: '1.1.0' }
      return (await s.op<{ permissions: { added: object[] } }>('library.findCompare', input)).permissions.added.length
    },
    right: 0,
  },
  {
    name: 'the README of an item',
    run: async (s) =>
      (await s.op<{ readme: string }>('library.findReadme', { kind: 'workflow', slug: 'morning-digest' })).readme,
    right: 'New',
  },
  {
    name: 'who am I',
    run: async (s) => (await s.op<{ user: { username: string } }>('library.me')).user.username,
    right: 'alice',
  },
]

/** A day of an agent. */
const daily: Task[] = [
  {
    name: 'what is new for my user: notifications, invitations, the newest of others',
    async run(s) {
      const { unread } = await s.op<List>('notifications.list', { unread: 'true' })
      const { items } = await s.op<List>('library.invitations')
      return [unread, items.length, (await s.op<List>('feed.list')).items.length > 2]
    },
    ours: async (s) => {
      const { unread, pendingTotal, recent } = await newsOf(s)
      return [unread, pendingTotal, recent.length > 2]
    },
    right: [3, 1, true],
  },
  {
    name: 'does something wait for my user',
    async run(s) {
      const { items } = await s.op<List>('library.invitations')
      return [items.length, (await s.op<{ unread: number }>('notifications.count')).unread]
    },
    ours: async (s) => {
      const { pendingTotal, unread } = await newsOf(s)
      return [pendingTotal, unread]
    },
    right: [1, 3],
  },
  {
    name: 'who mentioned my user',
    run: async (s) =>
      (await s.op<List>('notifications.list', { unread: 'true' })).items.filter(({ type }) => type === 'mention')
        .length,
    ours: async (s) => (await newsOf(s)).items.filter(({ type }) => type === 'mention').length,
    right: 1,
  },
  {
    name: 'the newest of others, and what is unread',
    async run(s) {
      const { items } = await s.op<List>('feed.list')
      return [items[0]!.title, (await s.op<{ unread: number }>('notifications.count')).unread]
    },
    ours: async (s) => {
      const { recent, unread } = await newsOf(s)
      return [recent[0]!.title, unread]
    },
    right: ['A question', 3],
  },
  {
    name: 'the morning report, and all is read',
    async run(s) {
      const { items } = await s.op<List>('notifications.list', { unread: 'true' })
      const waiting = await s.op<List>('library.invitations')
      await s.op('feed.list')
      const { unread } = await s.op<List>('notifications.read', { through: items[0]!.id })
      return [items.length, waiting.items.length, unread]
    },
    ours: async (s) => {
      const { items, pendingTotal } = await newsOf(s)
      return [items.length, pendingTotal, (await s.op<List>('notifications.read', { through: items[0]!.id })).unread]
    },
    right: [3, 1, 0],
  },
]

/** What is written. */
const writing: Task[] = [
  {
    name: 'vote for the bug that is known, in place of a second one',
    run: async (s) =>
      (await s.op<{ score: number }>('bugs.vote', { id: (await bugAbout(s, 'digest twice')).id, value: 1 })).score,
    right: 1,
  },
  {
    name: 'file a bug that is not known',
    async run(s) {
      const { items } = await s.op<List>('search.find', { q: 'harbor crane', type: 'bug', per_page: 3 })
      const bug = { title: 'The harbor crane is stuck', description: 'Since ten', severity: 'low' }
      return [items.length, (await s.op<{ title: string }>('bugs.create', bug)).title]
    },
    right: [0, 'The harbor crane is stuck'],
  },
  {
    name: 'comment on a bug',
    run: async (s) =>
      (await s.op<{ body: string }>('bugs.comment', { id: (await bugAbout(s, 'digest twice')).id, body: 'Here too' }))
        .body,
    right: 'Here too',
  },
  {
    name: 'ask for a feature',
    run: async (s) =>
      (await s.op<{ title: string }>('features.create', { title: 'Export', description: 'As a file' })).title,
    right: 'Export',
  },
  {
    name: 'vote for a feature',
    run: async (s) => {
      const { id } = await first(s.op<List>('features.list', { q: 'dark', per_page: 1 }))
      return (await s.op<{ score: number }>('features.vote', { id, value: 1 })).score
    },
    right: 1,
  },
  {
    name: 'write a post',
    run: async (s) => (await s.op<{ title: string }>('posts.create', { title: 'Hello', body: 'World' })).title,
    right: 'Hello',
  },
  {
    name: 'answer a post',
    run: async (s) => {
      const { id } = await first(s.op<List>('posts.list', { q: 'A question', per_page: 1 }))
      return (await s.op<{ body: string }>('posts.comment', { id, body: 'I did' })).body
    },
    right: 'I did',
  },
  {
    name: 'vote for an org',
    run: async (s) => {
      const { id } = await first(s.op<List>('orgs.list', { per_page: 1 }))
      return (await s.op<{ score: number }>('orgs.vote', { id, value: 1 })).score
    },
    right: 1,
  },
  {
    name: 'share an org and what came out of it',
    run: async (s) => {
      const org = { name: 'Notes', goal: 'Write', roles: [{ id: 'editor' }] }
      const { id } = await s.op<{ id: string }>('orgs.create', { orgJson: JSON.stringify(org) })
      const files = [{ filename: 'out.md', content: '# Done' }]
      return (await s.op<{ files: object[] }>('orgRuns.add', { id, files })).files.length
    },
    right: 1,
  },
  {
    name: 'publish a workflow, and a version of it',
    run: async (s) => {
      const { id } = await s.op<{ id: string }>('library.publish', {
        kind: 'workflow',
        visibility: 'private',
        file: WORKFLOW,
      })
      return (await s.op<{ version: string }>('library.publishVersion', { id, version: '2.0.0', file: WORKFLOW }))
        .version
    },
    right: '2.0.0',
  },
  {
    name: 'react to nothing, and follow a bug',
    run: async (s) =>
      (await s.op<{ state: string }>('follows.set', { id: (await bugAbout(s, 'digest twice')).id, state: 'following' }))
        .state,
    right: 'following',
  },
]

/** What tasks have in common. */
export const helpers = [first, bugAbout, newsOf]

export const tasks: readonly Task[] = [...reading, ...daily, ...writing]
