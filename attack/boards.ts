// A closed board: who does not read it reads nothing of what is in it, and does nothing to it, by any operation that takes an id.
import { api } from '../src/api.ts'
import { type Contract, type Operation, placesOf } from '../src/contract/operation.ts'
import { exampleOf } from '../src/surfaces/openapi/examples.ts'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'
import type { Target } from './target.ts'

const OPERATIONS = Object.values(api as Record<string, Contract>).flatMap((contract) =>
  Object.values<Operation>(contract),
)
/** Those of the community that take an id, or the address of a board. */
const ABOUT_ONE = OPERATIONS.filter(
  ({ path, upload }) => /^\/community\/.*\{(id|board|commentId)\}/.test(path) && !upload,
)

/** A bug in a board that moderators read, with a comment; all of it has the word. */
async function closedBug(target: Target) {
  const [admin, moderator] = [await target.withRole('admin'), await target.withRole('moderator')]
  const slug = `closed-${Date.now()}`
  const word = `Zwischendeck${Date.now()}`
  await admin.api.boards.create({ slug, name: word, readers: 'roles: moderator' })
  const written = { title: word, description: `${word} text`, severity: 'low', board: slug } as const
  const { id } = await moderator.api.bugs.create(written)
  const { id: commentId } = await moderator.api.bugs.comment({ id, body: `${word} said` })
  return { admin, moderator, slug, word, id, commentId }
}

const bodyOf = (operation: Operation, ids: Readonly<Record<string, string>>): object => {
  const example = exampleOf(operation.deferredBody ?? operation.input, 'input') as Record<string, unknown>
  const names = placesOf(operation).body
  return Object.fromEntries(names.filter((name) => name in example).map((name) => [name, ids[name] ?? example[name]]))
}

export const boards: Attack[] = [
  {
    name: 'who does not read a closed board gets nothing of it, and does nothing in it, by any operation',
    clause: 'private',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const { moderator, slug, word, id, commentId } = await closedBug(target)
      const before = JSON.stringify(await moderator.api.bugs.get({ id }))
      const callers = [target.anonymous(), await target.newcomer()]
      const tries = callers.flatMap((caller) => ABOUT_ONE.map((operation) => ({ caller, operation })))
      await holdEach(
        tries,
        ({ operation: { method, path } }) => `${method} ${path}`,
        async ({ caller, operation }) => {
          const ofComment = operation.path.startsWith('/community/comments/')
          const ids = { id: ofComment ? commentId : id, commentId, board: slug }
          const path = `/api${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => Reflect.get(ids, name) ?? id)}`
          const { method } = operation
          const reply =
            method === 'GET' ? await caller.get(path) : await caller.post(path, bodyOf(operation, ids), {}, method)
          hold(!reply.text.includes(word), `${method} ${path} tells of it`)
          if (method !== 'GET') hold(reply.status >= 400, `${method} ${path} is ${reply.status}`)
        },
      )
      hold(JSON.stringify(await moderator.api.bugs.get({ id })) === before, 'it was changed')
      return `${tries.length} calls`
    },
  },
  {
    name: 'no member makes, opens, archives or deletes a board, nor moves or merges things into one that others read',
    clause: 'private',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const { moderator, slug, word, id } = await closedBug(target)
      const stranger = await target.newcomer()
      const own = await stranger.api.bugs.create({ title: 'Mine', description: 'Of a member', severity: 'low' })
      const { create, update, archive, delete: remove, move } = stranger.api.boards
      await holdRefused(create({ slug: `${slug}-2`, name: 'Mine' }), [403], 'a board')
      await holdRefused(update({ board: slug, readers: 'everyone', confirm: true }), [403, 404], 'a rule')
      await holdRefused(archive({ board: slug, archived: true }), [403, 404], 'an archive')
      await holdRefused(remove({ board: slug }), [403, 404], 'a removal')
      await holdRefused(move({ board: slug, type: 'bug', id: own.id }), [403, 404], 'a move')
      await holdRefused(stranger.api.bugs.create({ ...written(slug) }), [403, 404], 'a bug in it')
      await holdRefused(moderator.api.bugs.merge({ id, into: own.id, reason: 'Same' }), [409], 'a merge without a yes')
      await holdRefused(moderator.api.boards.move({ board: 'main', type: 'bug', id }), [409], 'a move without a yes')
      for (const path of [
        '/api/community/feed',
        `/api/search?q=${word}`,
        '/sitemap.xml',
        `/community/boards/${slug}`,
      ]) {
        const reply = await stranger.get(path)
        hold(!reply.text.includes(id) && !reply.text.includes(`${word} text`), `${path} tells of it`)
      }
      const key = (await stranger.api.feeds.renew()).key
      const lists = [
        `/api/community/bugs?`,
        `/api/community/feed?`,
        `/api/community/notifications?`,
        `/api/search?q=${word}&`,
        `/search?q=text&`,
        `/api/community/bugs?format=csv&`,
        `/api/community/feed?format=jsonl&`,
      ]
      const atoms = [`/feed.atom?key=${key}&`, `/community/bugs.atom?key=${key}&`, `/search.atom?q=${word}&key=${key}&`]
      const calendars = [`/calendar/roadmap.ics?key=${key}&`, `/calendar/releases.ics?key=${key}&`]
      for (const path of [...lists, ...atoms, ...calendars]) {
        holdStatus(await stranger.get(`${path}board=${slug}`), [404], path)
      }
      holdStatus(await target.anonymous().get(`/community/bugs/${id}.atom?key=${key}`), [404], 'comments')
      const hook = { url: 'https://example.com/hook', board: slug }
      await holdRefused(stranger.api.webhooks.create(hook), [403], 'a webhook')
      return 'nine writes and seventeen reads'
    },
  },
  {
    name: 'who is named in a closed board, follows its author or read it before hears nothing of it',
    clause: 'private',
    needs: ['newcomers', 'roles', 'mail'],
    async run(target) {
      const { admin, moderator, slug, word, id } = await closedBug(target)
      const stranger = await target.verified()
      const username = `n${Date.now()}`
      await stranger.api.profile.setUsername({ username })
      const { authorId: account } = await moderator.api.bugs.get({ id })
      await moderator.api.profile.setUsername({ username: `m${Date.now()}` })
      await stranger.api.follows.set({ id: account, state: 'following' })
      await holdRefused(stranger.api.follows.set({ id, state: 'following' }), [404], 'a follow')
      const say = (text: string) => moderator.api.bugs.comment({ id, body: `${word} ${text} @${username}` })
      await say('before')
      await admin.api.boards.update({ board: slug, readers: 'members' })
      await stranger.api.follows.set({ id, state: 'following' })
      await say('between')
      await admin.api.boards.update({ board: slug, readers: 'roles: moderator' })
      await say('after')
      await moderator.api.posts.create({ title: word, body: `${word} @${username}`, board: slug })
      for (let turn = 0; turn < 10; turn++) {
        for (const path of ['notifications', 'notifications?after=0', 'news', 'follows', 'my-work']) {
          const reply = await stranger.get(`/api/community/${path}`)
          hold(!reply.text.includes(word) && !reply.text.includes(id), `${path} tells of it`)
        }
        const { unread, items } = await stranger.api.notifications.list({ unread: 'true' })
        hold(unread === items.length, `${unread} are counted, and ${items.length} are listed`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      return 'fifty reads'
    },
  },
  {
    name: 'who moderates a board does nothing beside it, by any operation of moderators, by a merge, or by a move',
    clause: 'access',
    needs: ['newcomers', 'roles', 'mail'],
    async run(target) {
      const [admin, member] = [await target.withRole('admin'), await target.verified()]
      const slug = `own-${Date.now()}`
      await member.api.teams.create({ slug, name: 'Own' })
      await admin.api.boards.create({ slug, name: 'Own', moderators: `teams: ${slug}` })
      await admin.api.boards.create({ slug: `${slug}-2`, name: 'Another' })
      const [inside, ...outside] = await Promise.all(
        [slug, `${slug}-2`, 'main'].map((board) => admin.api.bugs.create({ ...written(board), severity: 'low' })),
      )
      const own = inside?.id ?? ''
      await member.api.bugs.triage({ id: own, severity: 'high' })
      const before = await Promise.all(outside.map(({ id }) => admin.api.bugs.get({ id })))
      const ofModerators = OPERATIONS.filter(({ access, path }) => access.boardModerators && path.includes('{'))
      const tries = outside.flatMap(({ id }) => ofModerators.map((operation) => ({ id, operation })))
      await holdEach(
        tries,
        ({ operation: { method, path } }) => `${method} ${path}`,
        async ({ id, operation }) => {
          const { method } = operation
          const path = `/api${operation.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'board' ? slug : id))}`
          holdStatus(await member.post(path, bodyOf(operation, { id, into: own }), {}, method), [403], path)
        },
      )
      for (const { id } of outside) {
        await holdRefused(member.api.bugs.merge({ id: own, into: id, confirm: true }), [403], 'a merge out of it')
        await holdRefused(member.api.bugs.merge({ id, into: own, confirm: true }), [403], 'a merge into it')
      }
      for (const board of [`${slug}-2`, 'main'])
        await holdRefused(member.api.boards.move({ type: 'bug', id: own, board }), [403], 'a move out of it')
      for (const { id: targetId } of outside)
        await admin.api.reports.create({ targetType: 'bug', targetId, reason: 'spam' }).catch(() => {})
      const mine = await member.api.moderation.cases({})
      hold(mine.items.length === 0 && mine.waiting === 0, 'a case of another board is listed')
      const { items: cases } = await admin.api.moderation.cases({ per_page: 100 })
      for (const { id } of cases) {
        await holdRefused(member.api.moderation.case({ id }), [403], 'a case')
        await holdRefused(member.api.moderation.caseReports({ id }), [403], 'reports')
        await holdRefused(
          member.api.moderation.decide({ id, action: 'hide', rule: 'spam', reason: 'No' }),
          [403],
          'a decision',
        )
      }
      const after = await Promise.all(outside.map(({ id }) => admin.api.bugs.get({ id })))
      hold(JSON.stringify(after) === JSON.stringify(before), 'a thing was changed')
      return `${tries.length} calls, merges and moves`
    },
  },
  {
    name: 'an agent writes nothing in a board that lets agents suggest alone, whatever of it the call names',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [admin, person] = [await target.withRole('admin'), await target.newcomer()]
      const slug = `people-${Date.now()}`
      await admin.api.boards.create({ slug, name: 'People', agents: 'suggest' })
      const { id } = await person.api.bugs.create({ ...written(slug), severity: 'low' })
      const { id: commentId } = await person.api.bugs.comment({ id, body: 'By hand' })
      const { accessToken } = await signIn(target, person)
      const { api } = bearer(target, accessToken)
      const own = await api.bugs.create({ ...written('main'), severity: 'low' })
      const before = JSON.stringify(await person.api.bugs.get({ id }))
      const tries = [
        ['a bug', () => api.bugs.create({ ...written(slug), severity: 'low' })],
        ['the address in capitals', () => api.bugs.create({ ...written(slug.toUpperCase()), severity: 'low' })],
        ['an edit', () => api.bugs.edit({ id, title: 'Mine' })],
        ['an edit by another writing of the id', () => api.bugs.edit({ id: id.toUpperCase(), title: 'Mine' })],
        ['a comment', () => api.bugs.comment({ id, body: 'Hm' })],
        ['a vote', () => api.bugs.vote({ id, value: 1 })],
        ['a reaction', () => api.comments.react({ id: commentId, reaction: 'heart' })],
        ['an edit of a comment', () => api.comments.edit({ id: commentId, body: 'Hm' })],
        ['a removal of a comment', () => api.bugs.deleteComment({ id, commentId })],
        ['a removal by another bug', () => api.bugs.deleteComment({ id: own.id, commentId })],
        ['a closing', () => api.bugs.close({ id, closed: true })],
      ] as const
      await holdEach(
        tries,
        ([name]) => name,
        ([name, send]) => holdRefused(send(), [400, 403, 404], name),
      )
      hold(JSON.stringify(await person.api.bugs.get({ id })) === before, 'it was changed')
      return `${tries.length} calls`
    },
  },
  {
    name: 'who was taken out of a board does not come back by the link, and no one else reads who is invited',
    clause: 'private',
    needs: ['newcomers', 'roles', 'mail'],
    async run(target) {
      const [admin, member, other] = [await target.withRole('admin'), await target.verified(), await target.verified()]
      const slug = `inner-${Date.now()}`
      await admin.api.boards.create({ slug, name: slug, readers: 'invited' })
      const { link } = await admin.api.invitationLinks.create({ board: slug, maxUses: 2 })
      const key = new URL(link).searchParams.get('key') ?? ''
      await holdRefused(other.api.invitationLinks.create({ board: slug }), [403], 'a link of a member')
      await member.api.invitation.open({ key })
      await member.api.invitation.accept()
      const { id: userId } = (await admin.api.boards.members({ board: slug })).items[0] ?? { id: '' }
      for (const person of [member, other]) {
        await holdRefused(person.api.boards.members({ board: slug }), [403], 'the list')
        await holdRefused(person.api.boards.removeMember({ board: slug, userId }), [403], 'a removal')
      }
      await admin.api.boards.removeMember({ board: slug, userId })
      await member.api.invitation.open({ key })
      await holdRefused(member.api.invitation.accept(), [404], 'the same link again')
      for (const person of [member, other, target.anonymous()])
        await holdRefused(person.api.boards.get({ board: slug }), [404], 'the board')
      return 'eight tries'
    },
  },
]

const written = (board: string) => ({ title: 'In', description: 'Of a member', severity: 'low', board }) as const
