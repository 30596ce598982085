// What a subject adds to the application by what its things can do.

import type { Feature } from '../manifest.ts'
import { mergeableOf } from '../merging/handlers.ts'
import type { Thing } from '../merging/undoing.ts'
import type { Store } from '../store/queries.ts'
import { can } from '../subject.ts'
import { hidingOf } from './hiding.ts'

/** `erases` are the fields that hold what the author wrote. */
export const subjectFeature = <Row extends Thing, Action extends string>(
  store: Store<Row, string, Action | 'delete'>,
  erases: readonly (keyof Row & string)[],
) => {
  const { subject } = store
  return {
    commentables: can(subject, 'comments') ? [store] : [],
    votables: can(subject, 'votes') ? [store] : [],
    mergeables: can(subject, 'merges') ? [mergeableOf(store)] : [],
    threads: subject.thread ? [store] : [],
    boarded: can(subject, 'moves') ? [store] : [],
    hidings: can(subject, 'reports') ? [hidingOf(store)] : [],
    erasure: { steps: async () => [(await import('./erasure.ts')).thingErasure(store, erases)] },
  } satisfies Feature
}
