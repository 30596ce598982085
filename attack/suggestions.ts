// Suggestions of agents: no token and no stranger accepts one, and none names a call that cannot be suggested.
import { type Attack, hold, holdEach, holdRefused } from './attack.ts'
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
]
