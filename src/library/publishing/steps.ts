// Every step of a publication, in their order; the app hands them to publishing.
import { keepPermissions } from '../comparing/permissions.ts'
import { insertDetails } from '../detail-queries.ts'
import { scanStep } from '../scanning/step.ts'
import { state } from '../statements/stating.ts'
import { detailsRow } from '../version-details.ts'
import { keepLife } from '../versions/publishing.ts'
import type { PrepareSteps, Step, Write } from './step.ts'

/** Keeps what the version says. */
const keepDetails: Step = async (_context, { content }) => {
  return (db, { item, ...version }) => insertDetails(db, detailsRow(item, version, content))
}

const steps: readonly Step[] = [keepDetails, keepLife, state, scanStep, keepPermissions]

export const prepareSteps: PrepareSteps = async (context, upload) => {
  const writes: Write[] = []
  for (const step of steps) writes.push(await step(context, upload))
  return async (db, published) => {
    for (const write of writes) await write(db, published)
  }
}
