// Who judges whom: a moderator against an admin, and against themselves.
import { type Attack, hold, holdRefused } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = 'access'

/** A post of this person with a report that this judge decides; gives its id and that of the act. */
async function judged(target: Target, author: Person, judge: Person, action: 'hide' | 'warn') {
  const { id: post } = await author.api.posts.create({ title: 'A post', body: 'Text' })
  await (await target.newcomer()).api.reports.create({ targetType: 'post', targetId: post, reason: 'spam' })
  const [row] = await target.own.query('select id from "moderationCase" where "targetId" = ?', post)
  const decision = { id: String(row?.['id']), action, rule: 'spam', reason: 'Advertising' } as const
  return { post, act: (await judge.api.moderation.decide(decision)).id }
}

export const judging: Attack[] = [
  {
    name: 'a moderator undoes no act of an admin, and none that concerns themselves',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [moderator, admin] = [await target.withRole('moderator'), await target.withRole('admin')]
      for (const [whose, author] of [
        ['of another', await target.newcomer()],
        ['of the moderator', moderator],
      ] as const) {
        const { post, act: id } = await judged(target, author, admin, 'hide')
        const undoing = moderator.api.moderation.undo({ id, reason: 'I know better' })
        await holdRefused(undoing, [403], `what an admin did to a thing ${whose}`)
        await holdRefused(target.anonymous().api.posts.get({ id: post }), [404], `the hidden thing ${whose}`)
        await admin.api.moderation.undo({ id, reason: 'A mistake' })
      }
      return 'an admin alone undoes it'
    },
  },
  {
    name: 'a moderator decides no appeal of their own',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [moderator, admin] = [await target.withRole('moderator'), await target.withRole('admin')]
      const { act: id } = await judged(target, moderator, admin, 'warn')
      const { appeal, decideAppeal, notice } = moderator.api.moderation
      await appeal({ id, text: 'It was about the topic' })
      await holdRefused(decideAppeal({ id, granted: true, reason: 'I agree with me' }), [403], 'the own appeal')
      hold(!JSON.stringify(await notice({ id })).includes('I agree with me'), 'it is decided')
      await admin.api.moderation.decideAppeal({ id, granted: false, reason: 'It was not' })
      return 'it waits for another one'
    },
  },
]
