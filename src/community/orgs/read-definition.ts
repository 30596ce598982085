// What an org definition says, for gallery and chart. Runs in a thread of its own for all but small ones: see definitions.ts.

import { FormatError } from '../../formats/format-error.ts'
import { describeOrg, type OrgDescription, readOrg } from '../../formats/org.ts'
import { chartOf } from './rules.ts'

export interface Said extends OrgDescription {
  chart: string
}

/** What is derived from a definition, the chart as JSON; or what is wrong with it, by the first offending field. */
export function readDefinitionText(text: string): Said | { refused: string } {
  try {
    const definition = readOrg(text)
    return { ...describeOrg(definition), chart: JSON.stringify(chartOf(definition)) }
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}
