// What moderators do with several rows of a list at once.

/** So many at once. */
export const MAX_MANY = 50

/** What can be done with what is selected: a value of the form, and its words. */
export interface ManyChoice {
  value: string
  label: string
}

/** Choices that belong together; without words they stand alone. */
export interface ManyGroup {
  label?: string
  choices: readonly ManyChoice[]
}

/** The answer: a refusal of the whole, or how many were done and which were not. */
export type ManyResult =
  | { refused: string }
  | { done: number; all: number; failed: { id: string; title: string; url: string | undefined; why: string }[] }
