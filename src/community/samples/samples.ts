// The sample data of a new instance: made with its first admin, and removed in one go, but for what members use.
import { record } from '../../audit/audit.ts'
import type { Config } from '../../config/config.ts'
import { ownTextsOf } from '../../config/site-texts.ts'
import { historyOf } from '../../content/edits/edits.ts'
import { createLabel, findLabelUse, removeLabel } from '../../content/labels/labels.ts'
import type { Store, StoredRow } from '../../content/store/queries.ts'
import { removeThing } from '../../content/subjects/handlers.ts'
import { publish } from '../../content/subjects/publication.ts'
import type { Language } from '../../contract/languages.ts'
import { partsOff } from '../../contract/parts.ts'
import { nextNumber } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import * as bugs from '../bugs/feature.ts'
import * as features from '../features/feature.ts'
import * as posts from '../posts/feature.ts'
import { sampleActions, type samples } from './contract.ts'
import { countSamples, deleteSamples, insertSample, isTouched, lockSamples } from './queries.ts'
import { fingerprintOf, samplesIn, sampleWords } from './rules.ts'

interface Written {
  id: string
  authorId: string
  createdAt: string
  number: number
}

interface Kind<Thing extends Written> {
  store: Store<Thing, string, 'delete'>
}

const kinds = { post: posts, bug: bugs, feature: features }
type KindName = keyof typeof kinds

interface Making {
  authorId: string
  language: Language
  now: string
  /** The name of the server, and the parts that are off. */
  config: Pick<Config, 'name' | 'partsOff' | 'homeTexts' | 'partWords'>
}

/** What a sample was when it was made: a change of any of it keeps it. */
function partsOfThing(store: Kind<Written>['store'], row: StoredRow<Written>) {
  const { title, text } = store.subject.text(row)
  const decided = ['status', 'severity'].map((name) => (Reflect.get(row, name) as string | undefined) ?? null)
  return [
    title,
    text,
    row.authorId,
    ...decided,
    row.hidden,
    (Reflect.get(row, 'mergedCount') as number | undefined) ?? 0,
  ]
}

/** Makes the samples as things of an account. They notify no one. */
export async function addSamples(db: Transaction, { authorId, language, now, config }: Making): Promise<void> {
  const { name, homeTexts, partWords } = config
  const off = partsOff(config)
  const samples = samplesIn(sampleWords(language, { name, texts: ownTextsOf(homeTexts, partWords) }))
  const labels: string[] = []
  for (const label of samples.labels) {
    const id = await createLabel(db, label)
    if (id === undefined) continue
    labels.push(id)
    await insertSample(db, { thingId: id, type: 'label', fingerprint: labelFingerprint(label) })
  }
  const made = { authorId, createdAt: now, editedAt: null }
  const worked = { ...made, updatedAt: now, status: 'open' as const }
  const add = async <Thing extends Written>(
    kind: KindName,
    thing: Omit<Thing, 'id' | 'number'>,
    at: readonly number[],
  ) => {
    if (off.kinds.has(kind)) return
    const whole = { ...thing, id: newId(), number: await nextNumber(db) } as Thing
    await addThing(db, kind, { thing: whole, labels: at.flatMap((one) => labels[one] ?? []) })
  }
  await add('post', { ...samples.post, ...made }, [])
  for (const [at, bug] of samples.bugs.entries()) await add('bug', { ...bug, ...worked }, [at])
  await add('feature', { ...samples.feature, ...worked }, [2])
}

async function addThing(
  db: Transaction,
  type: KindName,
  { thing, labels }: { thing: Written; labels: readonly string[] },
): Promise<void> {
  const { store } = kinds[type] as unknown as Kind<Written>
  await store.insert(db, thing)
  const { title, text } = store.subject.text(thing)
  const { id, authorId, createdAt, number } = thing
  await publish(db, { id, authorId, createdAt, number, type, url: store.subject.url(thing), title, text })
  const row = await store.findLockedAny(db, id)
  if (!row) return
  for (const label of labels) await store.labelling?.attach(db, row, label)
  await insertSample(db, { thingId: id, type, fingerprint: fingerprintOf(partsOfThing(store, row)) })
}

export interface KeptThing {
  id: string
  type: KindName | 'label'
  title: string
  url: string
}

interface Removing {
  actorId: string
  now: string
  address: string
}

const labelFingerprint = ({ name, color, description }: { name: string; color: string; description: string | null }) =>
  fingerprintOf([name, color, description])

/** Removes the samples that are as they were made; gives the others, which are samples no longer. */
export async function removeSamples(
  db: Transaction,
  { actorId, now, address }: Removing,
): Promise<{ removed: number; kept: KeptThing[] }> {
  const samples = await lockSamples(db)
  const kept: KeptThing[] = []
  let removed = 0
  const isLabel = ({ type }: { type: string }) => type === 'label'
  // Things first: a label that only they had is in use no longer.
  const labels = samples.filter(isLabel)
  const own = labels.map(({ thingId }) => thingId)
  for (const sample of [...samples.filter((one) => !isLabel(one)), ...labels]) {
    const left = isLabel(sample) ? await dropLabel(db, sample) : await dropThing(db, sample, { now, labels: own })
    if (left === 'gone') continue
    if (left) kept.push(left)
    else removed++
  }
  await deleteSamples(db)
  if (samples.length > 0) {
    const act = { action: sampleActions.remove, actorId, targetId: 'samples', address }
    await record(db, now, { ...act, detail: { removed, kept: kept.map(({ title }) => title) } })
  }
  return { removed, kept }
}

interface Sample {
  thingId: string
  type: string
  fingerprint: string
}

/** Whether it was edited, decided or moved, even if it is as it was now. */
function wasMoved(row: StoredRow<Written>): boolean {
  const { revisionCount, statusChangeCount } = historyOf(row)
  return revisionCount + statusChangeCount > 0 || row.boardId != null
}

type RemovalResult = KeptThing | 'gone' | undefined

async function dropThing(
  db: Transaction,
  { thingId, type, fingerprint }: Sample,
  { now, labels }: { now: string; labels: readonly string[] },
): Promise<RemovalResult> {
  const { store } = kinds[type as KindName] as unknown as Kind<Written>
  const row = await store.findLockedAny(db, thingId)
  if (!row) return 'gone'
  const isSame = fingerprintOf(partsOfThing(store, row)) === fingerprint
  const others = ((await store.labelling?.labelsOf(db, thingId)) ?? []).filter((id) => !labels.includes(id))
  if (!isSame || wasMoved(row) || others.length > 0 || (await isTouched(db, thingId))) {
    const { title } = store.subject.text(row)
    return { id: thingId, type: type as KindName, title, url: store.subject.url(row) }
  }
  await removeThing(db, store, { row, now })
  return undefined
}

async function dropLabel(db: Transaction, { thingId, fingerprint }: Sample): Promise<RemovalResult> {
  const label = await findLabelUse(db, thingId)
  if (!label) return 'gone'
  if (label.isUsed || labelFingerprint(label) !== fingerprint)
    return { id: thingId, type: 'label', title: label.name, url: '/admin/labels' }
  await removeLabel(db, thingId)
  return undefined
}

export const handlers: Handlers<typeof samples> = {
  get: async ({ db }) => ({ count: await countSamples(db) }),

  async remove({ db, caller, now, address }) {
    const act = { actorId: caller.id, now, address }
    return db.transaction().execute((transaction) => removeSamples(transaction, act))
  },
}
