// The delimiter that gives the first fifty lines the same number of fields, more than one.
export default function guessDelimiter({ text }) {
  const lines = text.split(/\r?\n/).slice(0, 50).filter(Boolean)
  const fits = (mark) => {
    const counts = new Set(lines.map((line) => line.split(mark).length))
    return counts.size === 1 && !counts.has(1)
  }
  return [',', ';', '\t', '|'].find(fits) ?? ','
}
