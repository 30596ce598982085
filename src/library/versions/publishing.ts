// What is kept of every version that is published: what is new in it, its licence, and the items that it names.
import { precedenceOf } from '../../formats/version.ts'
import type { Step } from '../publishing/step.ts'
import { holdNames, insertDependencies } from '../uses/queries.ts'
import { updatePublished } from '../version-queries.ts'

/** A step of publication: `changelog` is what its publisher says, before what the package says. */
export const keepLife: Step = async (_context, { kind, content, changelog }) => {
  const required = kind === 'workflow' ? content.meta['required_automations'] : []
  const automations = Array.isArray(required)
    ? required.map((slug) => ({ kind: 'automation' as const, slug: String(slug) }))
    : []
  // A workflow names its automations where it has them; those of a file that was read otherwise come last.
  const names = [...content.names, ...automations]
  return async (db, { item: { id: itemId }, version }) => {
    const precedence = precedenceOf(version)
    await updatePublished(db, {
      itemId,
      precedence,
      changelog: changelog ?? content.changelog,
      license: content.license,
    })
    await holdNames(db, names)
    await insertDependencies(db, { itemId, version, names })
  }
}
