// How docs/openapi.json is laid out: a line for the parameters of an operation, each response and each component, so that a change shows in
// few lines and the file is not twice as large for its indentation.

/** From here on a value has one line. */
const DEEPEST = 4

/** The document as the text of the file. */
export const laidOut = (document: unknown): string => `${text(document, 0)}\n`

function text(value: unknown, depth: number): string {
  if (depth === DEEPEST || typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const lines = entries.map(([name, inner]) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `
    return `${' '.repeat(depth + 1)}${label}${text(inner, depth + 1)}`
  })
  return `${open}\n${lines.join(',\n')}\n${' '.repeat(depth)}${close}`
}
