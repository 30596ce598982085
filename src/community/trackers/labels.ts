// Labels of a bug and its issue: each label by itself, among those that are here. Others stay there as they are.
import { required } from '../../runtime/untyped.ts'
import { bugs } from '../bugs/contract.ts'
import { store } from '../bugs/feature.ts'
import { type IssuePair, saveCommon } from './fields.ts'
import { actorFor, personOf } from './people.ts'
import { listLabelsNamed } from './queries.ts'
import { labelChanges } from './rules.ts'
import { callAs, type Syncing } from './syncing.ts'

interface Label {
  id: string
  name: string
  color: string
}

/** Makes the labels of both sides the same. */
export async function syncLabels(syncing: Syncing, looked: IssuePair): Promise<void> {
  const { db } = syncing.dependencies
  const { bug, issue, common } = looked
  const { labels: own } = (await required(store.labelling).decorate(db, [bug]))(bug)
  const names = new Map(issue.labels.map((name) => [name.toLowerCase(), name]))
  const known = new Map<string, Label>(own.map((label) => [label.name.toLowerCase(), label]))
  for (const label of await listLabelsNamed(db, [...names.keys(), ...(common.labels ?? [])]))
    known.set(label.nameKey, label)
  const ours = new Set(own.map(({ name }) => name.toLowerCase()))
  const theirs = new Set([...names.keys()].filter((name) => known.has(name)))
  const { take, send } = labelChanges({ ours, theirs, common: new Set(common.labels) })
  for (const { name, isOn } of take) {
    const label = required(known.get(name))
    if (!(await takeLabel(syncing, looked, { label, isOn }))) send.push({ name, isOn: !isOn })
    else if (isOn) ours.add(name)
    else ours.delete(name)
  }
  for (const { name, isOn } of send) {
    const label = known.get(name)
    if (isOn && label) await syncing.there.addLabel(issue.number, label)
    if (!isOn) await syncing.there.removeLabel(issue.number, names.get(name) ?? name)
  }
  common.labels = [...ours].toSorted()
  await saveCommon(syncing, looked)
}

/** Does to a label here what a person did there; false where they may not. */
async function takeLabel(
  syncing: Syncing,
  { bug, changes }: IssuePair,
  { label, isOn }: { label: Label; isOn: boolean },
): Promise<boolean> {
  const name = label.name.toLowerCase()
  const last = (await changes()).find(
    (one) => one.what === 'label' && one.label?.isOn === isOn && one.label.name.toLowerCase() === name,
  )
  const person = last?.by && (await personOf(syncing, last.by))
  const accountId = actorFor(person, { field: 'label', authorId: bug.authorId })
  if (accountId === undefined) return false
  const operation = isOn ? bugs.attachLabel : bugs.detachLabel
  return (await callAs(syncing, { accountId, operation, input: { id: bug.id, labelId: label.id } })) !== undefined
}
