// Every version that is published is scanned before it is stored, so what is clean shows at once and nothing shows unscanned.
import { Problem } from '../../contract/problem.ts'
import type { Step } from '../publishing/step.ts'
import { FIRST_VERSION, filenameOf } from '../rules.ts'
import { insertScan } from './queries.ts'
import { type Finding, isAtLeast, mayBeAsBad } from './rules.ts'
import { scanUpload } from './scanning.ts'

/** The most findings that an error lists. */
const TOLD = 5

export const scanStep: Step = async (context, { kind, file, content, item, name, stopFor }) => {
  const { meta, warnings } = content
  const slug = item?.slug ?? content.slug ?? 'file'
  const filename = filenameOf({ kind, slug, meta }, content.version ?? FIRST_VERSION)
  const findings = await scanUpload(context, {
    ...{ kind, path: file.path, filename, name },
    ...{ slug: item?.slug, ownerId: item?.ownerId },
  })
  if (stopFor !== undefined && mayBeAsBad(findings, stopFor)) throw stopped(findings, stopFor)
  const row = {
    findings: findings && JSON.stringify(findings),
    warnings: JSON.stringify(warnings),
    ...{ scannedAt: context.now, answer: null, answeredAt: null },
  }
  return (db, { item: { id: itemId }, version }) => insertScan(db, { itemId, version, ...row })
}

function stopped(findings: readonly Finding[] | null, stopFor: 'suspicious' | 'severe'): Problem {
  if (findings === null)
    return new Problem('suspicious', 'The scan of the file could not finish, so nothing is published')
  const serious = findings.filter(
    ({ rule, severity }) => rule === 'not-read' || isAtLeast(severity === 'note' ? 'notes' : severity, stopFor),
  )
  const told = serious.slice(0, TOLD).map(({ path, line, reason }) => {
    const place = [path, ...(line === null ? [] : [`line ${line}`])].filter(Boolean).join(', ')
    return place === '' ? reason : `${place}: ${reason}`
  })
  const more = serious.length > TOLD ? `; and ${serious.length - TOLD} more` : ''
  return new Problem('suspicious', `Nothing is published yet. The scan found ${told.join('; ')}${more}`)
}
