// What is decided about a discussion: no member pins, locks, solves or assigns what is of others, and nothing is added where comments are locked.
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'
import { BUG } from './things.ts'

const why = { reason: 'It is more than that', confidence: 0.5 }

export const threads: Attack[] = [
  {
    name: 'no member pins, locks, solves, assigns or dates what others wrote, by session or token',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const [author, stranger] = [await target.newcomer(), await target.newcomer()]
      const { id } = await author.api.bugs.create(BUG)
      const comment = await author.api.bugs.comment({ id, body: 'Here is how' })
      const token = bearer(target, (await signIn(target, stranger)).accessToken)
      for (const { api } of [stranger, token, author]) {
        const { pin, lock, assign, unassign, setDue, solve } = api.threads
        await holdRefused(pin({ id, pinned: true }), [403], 'a pin')
        await holdRefused(lock({ id, locked: true }), [403], 'a lock')
        await holdRefused(assign({ id, account: stranger.id }), [403], 'an assignee')
        await holdRefused(unassign({ id, accountId: author.id }), [403], 'an assignee less')
        await holdRefused(setDue({ id, dueOn: '2027-01-01' }), [403], 'a date')
        if (api !== author.api) await holdRefused(solve({ id, commentId: comment.id }), [403], 'a solution')
      }
      const { changes } = target.anonymous().api.threads
      hold((await changes({ id })).items.length === 0, 'something was changed')
      return 'six decisions by three callers'
    },
  },
  {
    name: 'nothing is said in a locked discussion, by REST, MCP, an edit or a suggestion',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [author, stranger] = [await target.newcomer(), await target.newcomer()]
      const { id } = await author.api.bugs.create(BUG)
      const comment = await stranger.api.bugs.comment({ id, body: 'Mine' })
      const moderator = await target.withRole('moderator')
      await moderator.api.threads.lock({ id, locked: true })
      const scope = 'community:read community:write'
      const token = bearer(target, (await signIn(target, stranger, { scope })).accessToken)
      for (const { api } of [author, stranger, token]) {
        await holdRefused(api.bugs.comment({ id, body: 'More' }), [403], 'a comment')
        await holdRefused(api.bugs.comment({ id, body: 'More', parentId: comment.id } as never), [403], 'a reply')
        await holdRefused(api.comments.edit({ id: comment.id, body: 'Other words' }), [403], 'an edit')
      }
      const name = { name: 'comment_bug', arguments: { id, body: 'By a tool' } }
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: name }
      const accept = { Accept: 'application/json, text/event-stream' }
      holdStatus(await token.post('/api/mcp', call, accept), [200, 400, 404], 'a tool')
      const input = { id: comment.id, body: 'Suggested words' }
      const suggested = ['bugs.comment', 'comments.edit', 'comments.delete']
      await holdEach(suggested, String, (operation) =>
        holdRefused(author.api.suggestions.create({ operation, input, ...why }), [400, 403, 404, 409], operation),
      )
      const { items } = await target.anonymous().api.bugs.comments({ id })
      hold(items.length === 1 && JSON.stringify(items).includes('Mine'), 'the discussion went on')
      return 'eleven tries, and one comment is there'
    },
  },
]
