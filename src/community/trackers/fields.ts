// Title, text and state of a bug and its issue: each field by itself. What changed on one side goes to the other; of two changes the later one
// counts. What a person there may not change here is put back there.
import type { Transaction } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { bugs } from '../bugs/contract.ts'
import type { Bug } from '../bugs/subject.ts'
import { recordLost } from './history.ts'
import { actorFor, personOf } from './people.ts'
import { findLastStatus, findWriter, listLastEdits, type Pair, updatePair } from './queries.ts'
import * as rules from './rules.ts'
import type { DeliveryNews, Issue, IssueChange, IssueFields, Person } from './service.ts'
import { callAs, type Syncing } from './syncing.ts'
import { bodyThere, fieldOf, titleHere, wholeHere, wholeOf } from './texts.ts'

export interface IssuePair {
  pair: Pair
  common: rules.Common
  bug: Bug
  issue: Issue
  told: readonly DeliveryNews[]
  /** The last changes of the issue, asked for where they are needed. */
  changes(): Promise<readonly IssueChange[]>
}

interface Field {
  name: 'title' | 'text' | 'state'
  ours: string
  /** As it is there. */
  theirs: string
  /** The same in our form. */
  read: string
  /** Makes it theirs here, as an account; what is here then, or undefined where that is refused. */
  take(accountId: string): Promise<string | undefined>
}

interface ChangeThere {
  person: Person | undefined
  at: string
}

/** Makes both sides the same in title, text and state. */
export async function syncFields(syncing: Syncing, looked: IssuePair): Promise<void> {
  const { common } = looked
  const toSend: Field[] = []
  for (const field of await fieldsOf(syncing, looked)) {
    const verdict = rules.verdictOf(field, common[field.name])
    if (verdict === 'same') common[field.name] = [rules.printOf(field.ours), rules.printOf(field.theirs)]
    else if (verdict === 'send' || !(await takeOver(syncing, looked, { field, verdict }))) toSend.push(field)
  }
  await saveCommon(syncing, looked)
  if (toSend.length === 0) return
  const sent = await syncing.there.updateIssue(looked.issue.number, await changesThere(syncing, looked, toSend))
  for (const field of toSend)
    common[field.name] = [rules.printOf(field.ours), rules.printOf(theirsOf(field.name, sent))]
  await saveCommon(syncing, looked)
}

export const saveCommon = (
  { dependencies: { db } }: Syncing,
  { pair, common }: Pick<IssuePair, 'pair' | 'common'>,
): Promise<void> => updatePair(db, pair, { common: JSON.stringify(common) })

const theirsOf = (name: Field['name'], issue: Issue): string => issue[name]

async function fieldsOf(syncing: Syncing, { bug, issue, common }: IssuePair): Promise<Field[]> {
  const {
    dependencies: { db },
    there,
  } = syncing
  const whole = await wholeOf(db, bug.id, bug.description)
  const edit = async (accountId: string, texts: object, keep?: (db: Transaction, output: never) => Promise<void>) => {
    const input = { id: bug.id, seenEditedAt: bug.editedAt, ...texts }
    const edited = await callAs<Bug>(syncing, { accountId, operation: bugs.edit, input, ...(keep && { keep }) })
    if (edited) bug.editedAt = edited.editedAt
    return edited
  }
  const { state } = issue
  const read = wholeHere(syncing, issue.text, common)
  const title = titleHere(issue.title)
  return [
    {
      ...{ name: 'title', ours: bug.title, theirs: issue.title, read: title },
      take: async (accountId) => (await edit(accountId, { title }))?.title,
    },
    {
      ...{ name: 'text', ours: whole, theirs: issue.text, read },
      async take(accountId) {
        const { text, keep } = fieldOf(read, 'bug')
        return (await edit(accountId, { description: text }, keep)) && read
      },
    },
    {
      ...{ name: 'state', ours: there.stateOf(rules.stateHere(bug.status)), theirs: state, read: state },
      take: (accountId) => takeState(syncing, { id: bug.id, accountId, state }),
    },
  ]
}

/** A moderator gives it any state; its author closes it or opens it again. */
async function takeState(
  syncing: Syncing,
  { id, accountId, state }: { id: string; accountId: string; state: rules.State },
) {
  const status = rules.statuses[state]
  const triaged = await callAs(syncing, { accountId, operation: bugs.triage, input: { id, status } })
  if (triaged) return state
  const input = { id, closed: state !== 'open' }
  const closed = await callAs<Pick<Bug, 'status'>>(syncing, { accountId, operation: bugs.close, input })
  return closed && syncing.there.stateOf(rules.stateHere(closed.status))
}

/** Takes a change from there, where it is the later one and its person may; false where ours goes there. */
async function takeOver(
  syncing: Syncing,
  looked: IssuePair,
  { field, verdict }: { field: Field; verdict: rules.Verdict },
): Promise<boolean> {
  const { bug, common } = looked
  const { person, at } = await changeThere(looked, field.name)
  const known = person && (await personOf(syncing, person))
  const accountId = actorFor(known, { field: field.name, authorId: bug.authorId })
  if (accountId === undefined) return false
  const own = verdict === 'both' ? await changeHere(syncing, looked, field.name) : undefined
  if (own && !rules.isTheirsLater(own.at, at)) {
    await recordLost(syncing, { id: bug.id, by: accountId, winner: own.by, ...lostOf(field, bug) })
    return false
  }
  const taken = await field.take(accountId)
  if (taken === undefined) return false
  // Its author closes a bug in one way alone.
  if (field.name === 'state' && taken !== field.read) {
    field.ours = taken
    return false
  }
  common[field.name] = [rules.printOf(taken), rules.printOf(field.theirs)]
  return true
}

function lostOf({ name, ours, read }: Field, bug: Bug) {
  if (name === 'state')
    return { field: 'status' as const, ours: bug.status, theirs: rules.statuses[read as rules.State] }
  if (name === 'title') return { field: 'title' as const, ours, theirs: read }
  return { field: 'description' as const, ours: bug.description, theirs: fieldOf(read, 'bug').text }
}

/** Who changed a field there last, and when, as far as that is known. */
async function changeThere({ issue, told, changes }: IssuePair, name: Field['name']): Promise<ChangeThere> {
  if (name === 'text') {
    // The API may not say who edits a text: a delivery does, and otherwise it was the author.
    const said = told.findLast(({ what }) => what === 'text')
    const known = (await changes()).find(({ what }) => what === 'text')
    if (known && !(said && said.at > known.at)) return { person: known.by, at: known.at }
    return said ? { person: said.by, at: said.at } : { person: issue.user, at: issue.updatedAt }
  }
  const last = (await changes()).find(({ what }) => what === name)
  return last ? { person: last.by, at: last.at } : { person: undefined, at: issue.updatedAt }
}

/** The same here. */
async function changeHere({ dependencies: { db } }: Syncing, { bug }: IssuePair, name: Field['name']) {
  const first = { at: bug.createdAt, by: bug.authorId }
  if (name === 'state') {
    const last = await findLastStatus(db, bug.id)
    return last ? { at: last.createdAt, by: last.actorId } : first
  }
  return (await lastEdit(db, bug.id, name === 'title' ? 'title' : 'description')) ?? first
}

/** Who changed a text here last. */
export async function lastEdit(db: Parameters<typeof listLastEdits>[0], id: string, field: string) {
  const found = (await listLastEdits(db, id)).find(({ changes }) => Object.hasOwn(JSON.parse(changes) as object, field))
  return found && { at: found.createdAt, by: found.editorId }
}

async function changesThere(
  syncing: Syncing,
  { bug, common }: IssuePair,
  fields: readonly Field[],
): Promise<Partial<IssueFields>> {
  const author = required(await findWriter(syncing.dependencies.db, bug.authorId))
  const changes: Partial<IssueFields> = {}
  for (const { name, ours } of fields) {
    const body = { type: 'bug', id: bug.id, text: ours, author: author.username, made: common.made } as const
    if (name === 'title') changes.title = ours
    else if (name === 'text') changes.text = bodyThere(syncing, body)
    else changes.state = ours as rules.State
  }
  return changes
}
