// The filters of a list: what can be chosen, and what is chosen.

export interface Facet {
  name: string
  label: string
  /** What is chosen; of several values, with commas between them. */
  value?: string | undefined
  options: readonly { value: string; label: string }[]
  /** Whether several can be chosen. */
  several?: boolean
  /** With how many options it is shown: 1 where it is left out. */
  least?: number
  /** How many each option leads to, where that is known. */
  counts?: Readonly<Record<string, number>> | undefined
}

/** The values that are chosen. */
export const chosenIn = ({ value, several }: Pick<Facet, 'value' | 'several'>): string[] =>
  value === undefined ? [] : several ? value.split(',') : [value]
