// `npm run admin -- cases`: what waits for a decision, decided from the command line: so also what no moderator may judge. Each act is in the
// audit log, with the operator as its actor, and its author gets the notice that a moderator's decision would give.
import type { z } from 'zod'
import { moderation } from '../content/reports/contract.ts'
import { hasJudge } from '../content/reports/impartial.ts'
import { type Deciders, decideAppeal, decideCase, showCase, undo } from '../content/reports/judging.ts'
import { pageOfCases } from '../content/reports/showing.ts'
import { decisions, moderationRules } from '../contract/kinds.ts'
import { partsOff } from '../contract/parts.ts'
import { Problem } from '../contract/problem.ts'
import { oneLine } from '../contract/storable.ts'
import type { Db } from '../database/schema.ts'
import { powers } from '../moderating.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const cases: Command = {
  usage: 'cases [<act>] [<id>] [<decision>]',
  summary: `list [--state open|closed] [--page <n>] (what waits, why, and for whom), show <case>,
decide <case> <decision>, appeal <act> grant|refuse, undo <act>. A decision is
${decisions.join(', ')}; --rule is
${moderationRules.join(', ')};
--reason goes to the author and into the audit log`,
  parameters: [0, 3],
  options: {
    state: { type: 'string' },
    page: { type: 'string' },
    rule: { type: 'string' },
    reason: { type: 'string' },
  },
  run,
}

const PER_PAGE = 100

/** Arguments that fit no act. */
class Usage extends Error {}

interface ActContext {
  call: Call
  db: Db
  deciders: Deciders
}

/** An act: how many parameters follow its name, and what it does with them. */
interface Act {
  takes: number
  work(acting: ActContext, id: string, decision: string): Promise<void>
}

const acts: Readonly<Record<string, Act>> = {
  list: { takes: 0, work: list },
  show: { takes: 1, work: show },
  decide: {
    takes: 2,
    async work({ call: { options, output }, db, deciders }, id, action) {
      const given = checked(moderation.decide.input, { id, action, rule: 'other', ...options })
      const act = await decideCase(deciders, db, given)
      output.result(act, `Decided: ${act.action}. The act is ${act.id}; undo takes it back.`)
    },
  },
  undo: {
    takes: 1,
    async work({ call: { options, output }, db, deciders }, id) {
      const act = await undo(deciders, db, checked(moderation.undo.input, { id, ...options }))
      output.result(act, `Undone. The act is ${act.id}.`)
    },
  },
  appeal: {
    takes: 2,
    async work({ call: { options, output }, db, deciders }, id, answer) {
      if (answer !== 'grant' && answer !== 'refuse') throw new Usage('An appeal is granted or refused: grant, refuse.')
      const given = checked(moderation.decideAppeal.input, { id, granted: answer === 'grant', ...options })
      const decided = await decideAppeal(deciders, db, given)
      output.result(decided, decided.granted ? 'The appeal is granted, and the act undone.' : 'The appeal is refused.')
    },
  },
}

/** The input as the operation of the API takes it; throws what is wrong with it. */
function checked<Input>(schema: z.ZodType<Input>, { page: _, state: __, ...given }: Record<string, unknown>): Input {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  throw new Usage(error.issues.map(({ path, message }) => `${nameOf(String(path[0]))}: ${message}`).join('\n'))
}

const nameOf = (field: string) => (field in (cases.options ?? {}) ? `--${field}` : field)

async function run(call: Call): Promise<number> {
  const [name = 'list', id, decision] = call.parameters
  const given = call.parameters.length - 1
  try {
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined
    if (!act || Math.max(0, given) !== act.takes) throw new Usage(`Say what to do: ${cases.usage}`)
    return await withAccounts(call.settings(), async ({ db, config, outbox, secretFor }) => {
      const context = { caller: null, address: null, now: timestamp(systemClock.now()), config, outbox, secretFor }
      await act.work({ call, db, deciders: { powers, context } }, id ?? '', decision ?? '')
      return 0
    })
  } catch (error) {
    if (!(error instanceof Usage) && !(error instanceof Problem)) throw error
    call.output.complain(error.message)
    return error instanceof Usage ? 2 : 1
  }
}

/** Why a case waits. */
interface CaseCounts {
  reportCount: number
  held: boolean
  appealCount: number
}

const counted = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}s`)

const whyOf = ({ reportCount, held, appealCount }: CaseCounts): string =>
  [
    ...(reportCount > 0 ? [counted(reportCount, 'report')] : []),
    ...(held ? ['waits for approval'] : []),
    ...(appealCount > 0 ? [counted(appealCount, 'appeal')] : []),
  ].join(', ') || 'decided'

const waitsForOf = async (db: Db, authorId: string) => ((await hasJudge(db, authorId)) ? 'moderators' : 'operator')

async function list({ call: { options, output }, db }: ActContext): Promise<void> {
  const { state = 'open', page = '0' } = options
  if (typeof page !== 'string' || !/^\d{1,6}$/.test(page)) throw new Usage('--page is a number from 0.')
  const { data: asked, error } = moderation.cases.input.safeParse({ state, page, per_page: PER_PAGE })
  if (error) throw new Usage('--state is open or closed.')
  const found = await pageOfCases(db, powers.hidings, {
    ...{ state: asked.state, page: asked.page, per_page: PER_PAGE, off: partsOff({ partsOff: [] }) },
  })
  const listed = []
  for (const one of found.items) listed.push({ ...one, waitsFor: await waitsForOf(db, one.author.id) })
  const lines = listed.map(({ id, target, author, excerpt, gone, waitsFor, createdAt, ...why }) =>
    [
      ...[id, createdAt.slice(0, 10), whyOf(why), `${target.type} "${oneLine(target.title || excerpt)}"`],
      ...[`by ${author.username ?? author.id}`, ...(gone ? ['deleted'] : [])],
      ...(asked.state === 'open' && waitsFor === 'operator' ? ['no moderator may decide it: decide it here'] : []),
    ].join('  '),
  )
  const more = found.hasMore ? [`--page ${asked.page + 1} shows more.`] : []
  const { hasMore } = found
  output.result({ cases: listed, hasMore }, [...lines, ...more].join('\n') || 'Nothing is waiting.')
}

/** Texts of members, line by line without controls: a terminal does what those say. */
const quoted = (text: string) => text.split('\n').map((line) => `  | ${oneLine(line)}`)

async function show({ call: { output }, db, deciders }: ActContext, given: string): Promise<void> {
  const { id } = checked(moderation.case.input, { id: given })
  const shown = { ...(await showCase(deciders, db, id)), waitsFor: '' }
  shown.waitsFor = await waitsForOf(db, shown.author.id)
  const { target, author, reports, acts: done, ...one } = shown
  const lines = [
    `case      ${id}, ${one.state}: ${whyOf(one)}`,
    `on        ${target.type} ${target.id} "${oneLine(target.title)}"${target.gone ? ', deleted' : ''}`,
    `by        ${author.username ?? author.id}${author.blockedAt ? ', blocked' : ''}`,
    `waits for ${one.waitsFor}`,
    ...quoted(target.text),
    ...reports.flatMap(({ reason, text, createdAt, reporterUsername }) => [
      `report    ${createdAt} ${reason}, by ${reporterUsername ?? '-'}`,
      ...(text === null ? [] : quoted(text)),
    ]),
    ...done.flatMap(({ id: act, action, reason, createdAt, undoneAt, appeal, appealGranted }) => [
      `act       ${act} ${createdAt} ${action}${undoneAt === null ? '' : ', undone'}`,
      ...quoted(reason),
      ...(appeal === null ? [] : [`appeal    ${appealGranted === null ? 'waits' : 'decided'}`, ...quoted(appeal)]),
    ]),
  ]
  output.result(shown, lines.join('\n'))
}
