// Answers of the machine. By now the caller is allowed; the machine gets what the caller sees.
import { namesOfLabels } from '../../content/labels/labels.ts'
import { mapEntries } from '../../content/search/queries.ts'
import { requireOffered } from '../../contract/languages.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { findSimilar } from '../../search/similar.ts'
import { Severity } from '../bugs/subject.ts'
import { answeredBy, type Calling, callMachine, type Machine } from './calling.ts'
import { askable, type assistant } from './contract.ts'
import { findSections } from './documents.ts'
import { findAlike } from './meanings.ts'
import * as queries from './queries.ts'
import { type Readable, readComment, readThread, type Thread } from './reading.ts'
import {
  ANSWER_TOKENS,
  answerIn,
  chosenIn,
  KEPT_SECONDS,
  type Message,
  messagesOf,
  type Passage,
  RESPONSE_BYTES,
  TIMEOUT_MILLISECONDS,
  tasks,
  tokensOf,
} from './rules.ts'

/** The most labels, sections and threads that the machine gets. */
const LABELS = 100
const SECTIONS = 4
const THREADS = 4
/** So many of the comments on another thread. */
const COMMENTS = 3
const SOURCE_LENGTH = 3_000

const messages = (task: string, said: readonly Passage[]) => messagesOf(task, said, sha256)

interface Source {
  title: string
  url: string
  text: string
}

export function assistantHandlers(readable: Readable): Handlers<typeof assistant> {
  return {
    async summarize(context, thing) {
      const { said } = await readThread(context, readable, thing)
      return askAfter(context, messages(tasks.summarize, said), (answer) => answer)
    },

    async suggestLabels(context, thing) {
      const { said } = await readThread(context, readable, thing)
      const labels = await namesOfLabels(context.db, LABELS)
      const severities = thing.type === 'bug' ? Severity.options : []
      const task = tasks.labels(
        labels.map(({ name }) => name),
        severities,
      )
      return askAfter(context, messages(task, said), ({ text, ...made }) => {
        const chosen = chosenIn(text)
        return {
          items: labels.filter(({ name }) => chosen.labels.includes(name)).slice(0, 3),
          severity: severities.find((severity) => severity === chosen.severity) ?? null,
          ...made,
        }
      })
    },

    async suggestAnswer(context, thing) {
      const thread = await readThread(context, readable, thing)
      const found = [...(await documented(context, thread)), ...(await similar(context, readable, thread))]
      const given = found.map(({ title, text }) => ({ what: `Source: ${title}`, text: text.slice(0, SOURCE_LENGTH) }))
      const asked = [...thread.said.map(({ what, text }) => ({ what: `Thread: ${what}`, text })).slice(0, 10), ...given]
      const sources = found.map(({ title, url }) => ({ title, url }))
      return askAfter(context, messages(tasks.answer, asked), (answer) => ({ ...answer, sources }))
    },

    async translate(context, { id, language }) {
      const { name } = requireOffered(context.config, language)
      const text = await readComment(context, readable, id)
      const said = [{ what: 'Text', text }]
      return askAfter(context, messages(tasks.translate(name), said), (answer) => ({ ...answer, language }))
    },
  }
}

const documented = ({ config }: Pick<Context, 'config'>, { title, text }: Thread): Promise<Source[]> =>
  findSections(config, `${title}\n${text}`, SECTIONS)

/** Threads with a similar title or meaning that everybody sees, with the comments that members liked best. */
async function similar(context: Context<Caller>, readable: Readable, { id, title }: Thread): Promise<Source[]> {
  const { db, config, now } = context
  const { kinds } = partsOff(config)
  const types = askable.filter((type) => !kinds.has(type))
  const found = await findSimilar(db, { title, types, limit: THREADS + 1, now: Date.parse(now) })
  const alike = await findAlike(context, { id, types, limit: THREADS })
  const entries = await mapEntries(db, [...found.map((one) => one.id), ...alike])
  const threads: Source[] = []
  for (const entry of entries.values()) {
    if (entry.id === id || threads.length === THREADS) continue
    const thread = await readThread(context, readable, { type: entry.type, id: entry.id, best: COMMENTS }).catch(
      (error: unknown) => {
        if (error instanceof Problem) return undefined
        throw error
      },
    )
    if (thread)
      threads.push({ title: thread.title, url: thread.url, text: thread.said.map(({ text }) => text).join('\n') })
  }
  return threads
}

// Asks the machine of the operator, once for the same question: its answer is kept for a while.

interface Answer {
  text: string
  madeBy: 'machine'
  model: string
  createdAt: string
  cached: boolean
}

type Asking = Calling & Pick<Context<Caller>, 'always'>

/**
 * Counts the call, and asks after that: nothing is open while the machine is waited for. A call that is only tried asks nothing, and has an
 * empty answer.
 */
async function askAfter<Shown>(
  context: Context<Caller>,
  messages: readonly Message[],
  show: (answer: Answer) => Shown,
): Promise<Shown> {
  const { db, budget, config, now } = context
  const { ai } = config
  if (!ai) throw new Problem('not_found', 'There is nothing here')
  await db.transaction().execute((transaction) => budget.spend(transaction))
  let shown = show({ text: '', madeBy: 'machine', model: ai.model, createdAt: now, cached: false })
  await context.afterCommit(async () => {
    shown = show(await answer(context, ai, messages))
    return shown
  })
  return shown
}

async function answer(asking: Asking, ai: Machine, messages: readonly Message[]): Promise<Answer> {
  const { always: db, clock } = asking
  const now = timestamp(clock.now())
  const made = { madeBy: 'machine' as const, model: ai.model }
  const key = sha256(JSON.stringify([ai.url, ai.model, messages]))
  const kept = await queries.findAnswer(db, key, now)
  if (kept) return { ...kept, ...made, cached: true }
  const outcome = await callMachine({ ...asking, db }, ai, {
    url: ai.url,
    body: { model: ai.model, messages, max_tokens: ANSWER_TOKENS },
    tokens: tokensOf(messages),
    most: ai.dailyTokens,
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxBytes: RESPONSE_BYTES,
    read: answerIn,
  })
  const text = answeredBy(outcome)
  await queries.upsertAnswer(db, { key, text, createdAt: now, expiresAt: after(now, KEPT_SECONDS) })
  return { text, createdAt: now, ...made, cached: false }
}
