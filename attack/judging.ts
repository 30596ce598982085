// Who judges whom: a moderator against an admin, and against themselves.
import { type Attack, hold, holdStatus } from './attack.ts'
import type { Person } from './person.ts'
import type { Target } from './target.ts'

const CLAUSE = 'access'
const BASE = '/api/community/moderation'
const SPAM = { rule: 'spam', reason: 'Advertising' }

/** A post of this person with a report; gives its id and that of the case. */
async function reported(target: Target, author: Person): Promise<{ post: string; id: string }> {
  const reporter = await target.newcomer()
  const post = String((await author.post('/api/community/posts', { title: 'A post', body: 'Text' })).json()?.['id'])
  const report = { targetType: 'post', targetId: post, reason: 'spam' }
  holdStatus(await reporter.post('/api/community/reports', report), [201], 'an honest report')
  const [row] = await target.own.query('select id from "moderationCase" where "targetId" = ?', post)
  return { post, id: String(row?.['id']) }
}

/** Decides a case; gives the id of the act. */
async function decide(judge: Person, id: string, action: 'hide' | 'warn'): Promise<string> {
  const reply = await judge.post(`${BASE}/cases/${id}/decision`, { action, ...SPAM })
  holdStatus(reply, [200], 'an honest decision')
  return String(reply.json()?.['id'])
}

export const judging: Attack[] = [
  {
    name: 'a moderator undoes no act of an admin, and none that concerns themselves',
    clause: CLAUSE,
    needs: ['newcomers', 'roles'],
    async run(target) {
      const [moderator, admin] = [await target.withRole('moderator'), await target.withRole('admin')]
      const undo = (act: string) => moderator.post(`${BASE}/acts/${act}/undo`, { reason: 'I know better' })
      const author = await target.newcomer()
      for (const [whose, one] of [
        ['of another', author],
        ['of the moderator', moderator],
      ] as const) {
        const { post, id } = await reported(target, one)
        const act = await decide(admin, id, 'hide')
        holdStatus(await undo(act), [403], `what an admin did to a thing ${whose}`)
        holdStatus(await target.anonymous().get(`/api/community/posts/${post}`), [404], `the hidden thing ${whose}`)
        holdStatus(await admin.post(`${BASE}/acts/${act}/undo`, { reason: 'A mistake' }), [200], 'an admin undoes it')
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
      const { id } = await reported(target, moderator)
      const act = await decide(admin, id, 'warn')
      const appeal = await moderator.post(`${BASE}/notices/${act}/appeal`, { text: 'It was about the topic' })
      holdStatus(appeal, [201], 'an honest appeal')
      const path = `${BASE}/acts/${act}/appeal/decision`
      holdStatus(await moderator.post(path, { granted: true, reason: 'I agree with me' }), [403], 'the own appeal')
      const notice = (await moderator.get(`${BASE}/notices/${act}`)).json()
      hold(!JSON.stringify(notice).includes('I agree with me'), 'it is decided')
      holdStatus(await admin.post(path, { granted: false, reason: 'It was not' }), [200], 'an admin decides it')
      return 'it waits for another one'
    },
  },
]
