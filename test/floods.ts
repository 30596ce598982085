// A flood of reports as agents make it: 300 bugs, 100 of them beside one that has the same words about another part; and replays of them with
// what differs each time. Made by a generator that gives the same each time.

interface FloodReport {
  title: string
  description: string
  severity: 'low' | 'medium' | 'high'
  /** Which of the bugs it is of. */
  bug: number
  /** It is near another one, and must stay. */
  genuine: boolean
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const PARTS =
  `importer exporter scheduler mailer gallery inbox sidebar composer uploader indexer renderer planner archiver notifier
  translator debugger profiler installer updater launcher`.split(/\s+/)
const ACTS = 'saving loading sorting filtering renaming deleting copying closing resuming printing'.split(' ')
const THINGS = 'workflow digest invoice calendar contact template attachment folder report draft'.split(' ')
const FAULTS = ['freezes', 'crashes', 'loses data', 'shows a blank page', 'duplicates entries', 'ignores the limit']
const CAUSES = [
  'the list is empty',
  'the network drops',
  'the name has an umlaut',
  'two windows are open',
  'the disk is full',
]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface Wording {
  part: string
  act: string
  thing: string
  fault: string
  cause: string
}

const nameOf = ({ part, thing }: Wording) => `${capital(part)}${capital(thing)}`

const titleOf = ({ part, act, thing, fault }: Wording) => `The ${part} ${fault} while ${act} a ${thing}`

const sentencesOf = (wording: Wording) => [
  `Steps: open the ${wording.part}, begin ${wording.act} a ${wording.thing}, and wait until ${wording.cause}.`,
  `Expected the ${wording.thing} to be kept, but the ${wording.part} ${wording.fault}.`,
]

const framesOf = (wording: Wording) => [
  `at ${nameOf(wording)}.${wording.act} (/srv/app/src/${wording.part}.ts:120:14)`,
  `at run${capital(wording.act)} (/srv/app/src/queue.ts:88:3)`,
  `at process (/srv/app/src/${wording.thing}.ts:41:9)`,
]

/** The bugs as they are reported first. Of the last 100, each has the words of an earlier one but for its part, its cause or its order. */
export function floodBugs(count: number, near: number): FloodReport[] {
  const wordings: Wording[] = []
  for (let n = 0; n < count - near; n++) {
    const [part, act] = [PARTS[n % PARTS.length], ACTS[Math.floor(n / PARTS.length) % ACTS.length]]
    const [thing, fault, cause] = [
      THINGS[(n * 7) % THINGS.length],
      FAULTS[(n * 5) % FAULTS.length],
      CAUSES[(n * 3) % CAUSES.length],
    ]
    wordings.push({ part, act, thing, fault, cause } as Wording)
  }
  const reports = wordings.map((wording, bug) => reportOf(wording, bug, false))
  for (let n = 0; n < near; n++) {
    const wording = wordings[n] as Wording
    const bug = count - near + n
    reports.push([otherPart, otherCause, otherWay, otherNumber][n % 4]!(wording, bug))
  }
  return reports
}

function reportOf(wording: Wording, bug: number, genuine: boolean): FloodReport {
  const description = [...sentencesOf(wording), ...framesOf(wording)].join('\n')
  return { title: titleOf(wording), description, severity: 'medium', bug, genuine }
}

/** Another component, in the same words. */
const otherPart = (wording: Wording, bug: number) => reportOf({ ...wording, part: `${wording.part}-beta` }, bug, true)
/** The same title, and another cause. */
const otherCause = (wording: Wording, bug: number) =>
  reportOf({ ...wording, cause: `${wording.cause} and the clock changes` }, bug, true)
/** The words the other way round. */
function otherWay(wording: Wording, bug: number): FloodReport {
  const report = reportOf(wording, bug, true)
  return { ...report, title: `While the ${wording.thing} ${wording.fault}, ${wording.act} a ${wording.part}` }
}
/** Another code of an error. */
function otherNumber(wording: Wording, bug: number): FloodReport {
  const report = reportOf(wording, bug, true)
  return { ...report, description: `${report.description}\nStatus 5${bug % 100}` }
}

const OPENINGS = ['', 'Again: ', 'Hello, ', 'This is still the problem: ', 'Reported once more? ', 'Please see: ']

/** A report of a bug as it comes again: other moments, ids, places and folders, another order of lines, and other words around it. */
export function replayOf(report: FloodReport, random: () => number): FloodReport {
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  const [steps = '', expected = '', ...frames] = report.description.split('\n')
  const moved = frames.map((line) =>
    line
      .replace('/srv/app/src/', `/home/ci-${hex(3)}/build/`)
      .replace(/:\d+:\d+/, () => `:${Math.floor(random() * 900)}:${Math.floor(random() * 90)}`),
  )
  const lines = [expected, ...shuffled(moved, random)]
  const at = random() < 0.5 ? 0 : lines.length
  lines.splice(at, 0, steps)
  const noise = [
    `2026-11-${10 + Math.floor(random() * 18)}T0${Math.floor(random() * 9)}:15:${10 + Math.floor(random() * 49)}Z`,
    `pid ${Math.floor(random() * 30_000)}`,
    `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`,
    `0x7f${hex(10)}`,
  ]
  const opening = OPENINGS[Math.floor(random() * OPENINGS.length)] ?? ''
  const body = `${opening}${lines.join('\n')}\n${shuffled(noise, random).join(' ')}`
  const title = random() < 0.3 ? report.title.replace('The ', 'Again the ') : report.title
  // Some say it in words of their own: those stay, as no one can tell by words alone.
  const own = random() < 0.03 ? '\nOur customers in Lyon lost an afternoon' : ''
  return { ...report, title, description: body + own, genuine: false }
}

function shuffled<One>(list: readonly One[], random: () => number): One[] {
  const left = [...list]
  const all: One[] = []
  while (left.length > 0) all.push(...left.splice(Math.floor(random() * left.length), 1))
  return all
}
