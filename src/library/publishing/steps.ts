// Every step of a publication, in their order; the app hands them to publishing.

import { factsOf } from '../../contract/item-kinds.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { PrepareSteps, Step, Write } from '../changing/step.ts'
import { keepPermissions } from '../comparing/permissions.ts'
import { insertDetails, updatePublished } from '../items/version-queries.ts'
import { noteSigned } from '../name-domains/domains.ts'
import { publishesItsItem, runOf } from '../publishers/letting.ts'
import { detailsRow } from '../records/version-details.ts'
import { scanStep } from '../scanning/scanning.ts'
import { assertSignedBy, assertStates, owningTeam } from '../statements/drafts.ts'
import { provenanceOf } from '../statements/provenance.ts'
import { insertStatement } from '../statements/queries.ts'
import { payloadOf } from '../statements/statement.ts'
import { holdNames, insertDependencies } from '../uses/queries.ts'

/** Keeps what the version says. */
const keepDetails: Step = async (_context, { content }) => {
  return (db, { item, ...version }) => insertDetails(db, detailsRow(item, version, content))
}

/** Keeps what is new in it, its licence, and the items that it names. What its publisher says is new comes before what the package says. */
const keepLife: Step = async (_context, { kind, content, changelog }) => {
  const required = factsOf(kind).carriesPackages ? content.meta['required_automations'] : []
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

/**
 * States by whom and when it was published, by which run of a CI, and who agreed to it, before the log gets the digest. A statement that
 * the publisher signed is kept as it was signed, unless another account agreed to it since: that is not in what was signed.
 */
const state: Step = async ({ db, caller, now, approver }, { signed: draft }) => {
  const publisher = { id: caller.id, username: caller.username }
  const run = await runOf(db, caller)
  const provenance = run && provenanceOf(run)
  const signed = approver === undefined ? draft : undefined
  return async (db, { item, version, sha256, size }) => {
    const owner = await owningTeam(db, item.teamId)
    const published = {
      item: item.id,
      name: `${item.kind}/${item.slug}`,
      version,
      sha256,
      size,
      publisher,
      owner,
      provenance,
      approver,
    }
    const of = { itemId: item.id, version, publisherId: caller.id, approverId: approver?.id ?? null }
    if (!signed) {
      const payload = payloadOf({ ...published, time: now })
      return insertStatement(db, { ...of, payload, keyId: null, signature: null })
    }
    assertStates(signed, published)
    // Once more: the key can have been revoked since. A revocation locks the account, as a publication does.
    await assertSignedBy(db, caller, signed)
    const { payload, keyId, signature } = signed
    await insertStatement(db, { ...of, payload, keyId, signature })
    await noteSigned(db, item, now)
  }
}

const steps: readonly Step[] = [publishesItsItem, keepDetails, keepLife, state, scanStep, keepPermissions]

export const prepareSteps: PrepareSteps = async (context, upload) => {
  const writes: Write[] = []
  for (const step of steps) writes.push(await step(context, upload))
  return async (db, published) => {
    for (const write of writes) await write(db, published)
  }
}
