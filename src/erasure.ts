// Every step of the erasure of an account, in order. test/erasure-declared.test.ts compares them with the database: a column that names
// accounts needs a step that clears it.

import { leftoverErasure } from './content/erasure.ts'
import type { Erasure } from './content/manifest.ts'
import { features, things } from './features.ts'
import type { ErasureStep } from './identity/erasure.ts'

const stepsOf = (part: keyof Erasure) => features.flatMap(({ erasure }) => erasure?.[part]?.(things) ?? [])

export const erasureSteps: readonly ErasureStep[] = [
  ...[...stepsOf('first'), ...stepsOf('steps'), ...stepsOf('last')],
  ...leftoverErasure,
]
