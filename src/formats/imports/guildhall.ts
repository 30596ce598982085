// The records of another Guildhall, as its archive has them: one in each line, as JSON.
import { ImportRecord, type ReadSource, SourceError } from './record.ts'

/** Of one record, in bytes: a text of 262,144 characters, escaped. */
const MAX_LINE = 2_097_152

export const read: ReadSource = async function* (files) {
  for (const file of files) {
    let number = 0
    for await (const line of linesOf(file)) {
      number++
      if (line.trim() === '') continue
      yield recordIn(line, `${file.name}, line ${number}`)
    }
  }
}

function recordIn(line: string, place: string) {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new SourceError(`${place}: is no JSON`)
  }
  const parsed = ImportRecord.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new SourceError(`${place}: ${issue?.path.join('.') || 'it'} ${issue?.message ?? 'is no record'}`)
}

/** The lines of a file, without its ends of line. */
async function* linesOf({ name, read }: { name: string; read(): AsyncIterable<Uint8Array> }): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of read()) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE) throw new SourceError(`${name}: has a line that is too long`)
    yield* lines
  }
  yield rest + decoder.decode()
}
