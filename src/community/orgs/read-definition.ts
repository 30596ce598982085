// What an org definition says, for gallery and chart. Runs in a thread of its own for all but small ones: see definitions.ts.

import { FormatError } from '../../formats/format-error.ts'
import { type ItemName, namedItems } from '../../formats/named-items.ts'
import { describeOrg, type OrgDescription, readOrg } from '../../formats/org.ts'
import { chartOf } from '../../formats/org-chart.ts'

export interface DefinitionFacts extends OrgDescription {
  chart: string
  /** The items that it names. */
  names: ItemName[]
}

/** What is derived from a definition, the chart as JSON; or what is wrong with it, by the first offending field. */
export function readDefinitionText(text: string): DefinitionFacts | { refused: string } {
  try {
    const definition = readOrg(text)
    const names = namedItems(definition)
    return { ...describeOrg(definition), chart: JSON.stringify(chartOf(definition)), names }
  } catch (error) {
    if (error instanceof FormatError) return { refused: error.message }
    throw error
  }
}
