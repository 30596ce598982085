// The labels of a board as boxes of a form, each with a name of its own, so that a refused form keeps all of them.

const PREFIX = 'label '

export const labelBox = (id: string) => PREFIX + id

/** The ids of the chosen labels. */
export const labelsIn = (form: FormData): string[] =>
  [...form.keys()].filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))
