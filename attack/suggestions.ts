// Suggestions of agents: no token and no stranger accepts one, and none names a call that cannot be suggested.
import { type Attack, atOnce, hold, holdEach, holdRefused } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'

const why = { reason: 'Three members lost data', confidence: 0.9 }

export const suggestions: Attack[] = [
  {
    name: 'a suggestion is accepted by no token, no stranger and not by its own author',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [author, stranger] = [await target.newcomer(), await target.newcomer()]
      const { id } = await stranger.api.bugs.create({ title: 'Crash', description: 'At start', severity: 'low' })
      const suggested = await author.api.suggestions.create({
        ...{ operation: 'bugs.triage', input: { id, severity: 'critical' }, ...why },
      })
      const ids = [suggested.id]
      const moderator = await target.withRole('moderator')
      const token = bearer(target, (await signIn(target, moderator)).accessToken)
      await holdRefused(token.api.suggestions.accept({ ids }), [401], 'a token of a moderator')
      await holdRefused(target.anonymous().api.suggestions.accept({ ids }), [401], 'an anonymous caller')
      for (const person of [author, stranger]) {
        const { items } = await person.api.suggestions.accept({ ids })
        hold(items[0]?.state === 'waiting' && items[0].error !== null, 'a member accepted it')
      }
      hold((await stranger.api.bugs.get({ id })).severity === 'low', 'the bug was changed')
      return 'a person who may do it alone does'
    },
  },
  {
    name: 'a suggestion names no other call, and changes nothing but what it shows',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const author = await target.newcomer()
      const { id } = await author.api.bugs.create({ title: 'Crash', description: 'At start', severity: 'low' })
      const names = ['admin.setRole', 'bugs.delete', 'bugs.__proto__', 'constructor', 'toString', 'bugs.triage\u0000']
      await holdEach(names, String, (operation) =>
        holdRefused(
          author.api.suggestions.create({ operation, input: { id, role: 'admin' }, ...why }),
          [400],
          operation,
        ),
      )
      const hidden = { id, severity: 'high', role: 'admin', authorId: id, constructor: 'x' }
      const { input } = await author.api.suggestions.create({ operation: 'bugs.triage', input: hidden, ...why })
      hold(Object.keys(input).toSorted().join() === 'id,reason,severity', 'other fields are kept')
      const elsewhere = ['../admin/users', '..%2f..', 'a/b', '.', '']
      await holdEach(elsewhere, String, (wrong) =>
        holdRefused(
          author.api.suggestions.create({ operation: 'bugs.close', input: { id: wrong, closed: true }, ...why }),
          [400, 404],
          wrong,
        ),
      )
      return `${names.length + elsewhere.length + 1} tries`
    },
  },
  {
    name: 'a suggestion is made once however many accept it at once, and gives no one what they may not read',
    clause: 'access',
    needs: ['newcomers', 'roles', 'mail'],
    async run(target) {
      const [author, stranger] = [await target.verified(), await target.verified()]
      const [admin, moderator] = [await target.withRole('admin'), await target.withRole('moderator')]
      const bug = { title: 'Crash', description: 'At start', severity: 'low' } as const
      const { id } = await stranger.api.bugs.create(bug)
      const answer = { operation: 'bugs.comment', input: { id, body: 'Start it again' }, ...why }
      const { id: suggested } = await author.api.suggestions.create(answer)
      const deciders = [admin, moderator]
      await atOnce(10, (n) => deciders[n % 2]!.api.suggestions.accept({ ids: [suggested, suggested] }))
      hold((await stranger.api.bugs.comments({ id })).items.length === 1, 'it was made more than once')
      const slug = `closed-${Date.now()}`
      await admin.api.boards.create({ slug, name: slug, readers: 'roles: moderator' })
      const word = `Zwischendeck${Date.now()}`
      const closed = await moderator.api.bugs.create({ ...bug, title: word, board: slug })
      const inside = {
        operation: 'bugs.triage',
        input: { id: closed.id, severity: 'high' },
        reason: word,
        confidence: 1,
      }
      const within = await moderator.api.suggestions.create(inside)
      await holdRefused(stranger.api.suggestions.create(inside), [404], 'a suggestion about a closed board')
      const text = (answer: unknown) => JSON.stringify(answer)
      for (const { api } of [stranger, author, target.anonymous()]) {
        const all = [await api.suggestions.list({}), await api.suggestions.list({ authorId: moderator.id })]
        hold(!text(all).includes(word), 'a list has it')
        const one = await api.suggestions.list({ targetId: closed.id }).catch((error: unknown) => String(error))
        hold(!text(one).includes(word) && !text(one).includes(within.id), 'the list of the thing has it')
      }
      const { accept, refuse } = stranger.api.suggestions
      for (const decided of [await accept({ ids: [within.id] }), await refuse({ ids: [within.id], reason: 'No' })])
        hold(!text(decided).includes(word), 'a decision tells of it')
      hold((await moderator.api.bugs.get({ id: closed.id })).severity === 'low', 'it was accepted')
      return 'ten at once, and a closed board'
    },
  },
]
