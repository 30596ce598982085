// Code that fetches something and runs it, or decodes something and runs it: what it does is in no file of the package.
import type { Findings, ScanRule, Severity } from './rules.ts'
import type { TextView } from './text-view.ts'
import { type RuleTimes, windowsOf } from './windows.ts'

interface Way {
  rule: ScanRule
  pattern: RegExp
  /** A word of every match, where the pattern does not begin with one: a text without it is not tried letter by letter. */
  word?: RegExp
  reason: string
}

const SHELL = '(?:sudo +)?(?:[\\w/.~-]{0,40}/)?(?:ba|z|da|k|fi)?sh\\b'
const INTERPRETER = `(?:${SHELL}|(?:sudo +)?(?:python[\\d.]*|node|perl|ruby|php|deno|bun|pwsh|powershell)\\b)`
const FETCHER = '(?:curl|wget|fetch|aria2c)'
/** What runs a text as JavaScript, up to its parenthesis: also `(0, eval)(`, `eval?.(` and the module vm of Node. */
const INDIRECT = '\\(\\s{0,4}\\w{1,20}\\s{0,4},\\s{0,4}(?:[\\w$]{1,30}\\.)?(?:eval|Function)\\s{0,4}\\)'
const VM = '\\brunIn(?:New|This)?Context|\\bnew\\s{1,4}(?:[\\w$]{1,30}\\.)?Script|\\bcompileFunction'
const EVALUATOR = `(?:\\beval|${INDIRECT}|\\bnew\\s{1,4}Function|\\bFunction|\\bsetTimeout|${VM})\\s{0,4}(?:\\?\\.)?\\(`

/** Every wildcard has a bound, so that the work grows with the text alone. */
const ways: readonly Way[] = [
  {
    rule: 'fetch-and-run',
    pattern: new RegExp(`\\b${FETCHER}\\b[^\\n|;&]{1,300}\\|\\s{0,4}${INTERPRETER}`, 'gi'),
    reason: 'what is fetched is run by a shell',
  },
  {
    rule: 'fetch-and-run',
    pattern: new RegExp(
      `(?:${INTERPRETER}(?: +-c)? *["']?|\\beval +["']?|\\bsource +|(?:^|[\\s;&])\\. +)(?:<\\(|\\$\\(|\`) *${FETCHER}\\b`,
      'gim',
    ),
    word: new RegExp(FETCHER, 'i'),
    reason: 'what is fetched is run by a shell',
  },
  {
    rule: 'fetch-and-run',
    pattern: new RegExp(
      `\\b(?:curl|wget)\\b[^\\n|]{0,200} -[oO] *(\\S{1,80})[^\\n]{0,80}?(?:&&|;)[^\\n]{0,60}?(?:chmod +\\S{1,6} +\\1|${INTERPRETER} +\\1|\\./\\1)`,
      'gi',
    ),
    reason: 'a file is fetched and run',
  },
  {
    rule: 'fetch-and-run',
    pattern:
      /\b(?:iex|invoke-expression)\b[^\n]{0,120}\b(?:downloadstring|iwr|irm|invoke-webrequest|invoke-restmethod)\b|\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{1,300}\|\s{0,4}(?:iex|invoke-expression)\b/gi,
    reason: 'what is fetched is run by PowerShell',
  },
  {
    rule: 'fetch-and-run',
    pattern:
      /\b(?:exec|eval)\s{0,4}\(\s{0,4}(?:\w{1,30}\()?\s{0,4}(?:requests\.get|urllib\.request\.urlopen|urlopen|httpx\.get)\s{0,4}\(/g,
    reason: 'what is fetched is run as Python',
  },
  {
    rule: 'fetch-and-run',
    pattern: new RegExp(
      `${EVALUATOR}\\s{0,4}(?:await\\s{1,4})?\\(?\\s{0,4}(?:await\\s{1,4})?(?:fetch|axios(?:\\.get)?|got)\\s{0,4}\\(`,
      'g',
    ),
    reason: 'what is fetched is run as JavaScript',
  },
  {
    rule: 'fetch-and-run',
    pattern: new RegExp(
      `\\b(?:fetch|axios(?:\\.get)?|XMLHttpRequest)\\s{0,4}\\([\\s\\S]{0,200}?\\.then\\([\\s\\S]{0,100}?(?:${EVALUATOR}|\\b(?:eval|Function)\\s{0,4}\\))`,
      'g',
    ),
    reason: 'what is fetched is run as JavaScript',
  },
  {
    rule: 'fetch-and-run',
    pattern:
      /\bimport\s{0,4}\(\s{0,4}["'`]https?:|\bimportScripts\s{0,4}\(\s{0,4}["'`]https?:|\.src\s{0,4}=\s{0,4}["'`]https?:[^"'`\n]{1,200}\.m?js["'`?]/g,
    reason: 'a script is loaded from elsewhere',
  },
  {
    rule: 'encoded-code',
    pattern: new RegExp(`\\bbase64 +(?:-d|-D|--decode)\\b[^\\n|]{0,200}\\|\\s{0,4}${INTERPRETER}`, 'g'),
    reason: 'what is decoded is run by a shell',
  },
  {
    rule: 'encoded-code',
    pattern: new RegExp(
      `${EVALUATOR}[^\\n;]{0,80}?(?:\\batob\\s{0,4}\\(|Buffer\\.from\\s{0,4}\\([^\\n;]{0,4000}?["']base64["']|\\bunescape\\s{0,4}\\(|String\\.fromCharCode\\s{0,4}\\()`,
      'g',
    ),
    reason: 'what is decoded is run as JavaScript',
  },
  {
    rule: 'encoded-code',
    pattern:
      /\b(?:exec|eval|compile)\s{0,4}\([^\n]{0,60}?\b(?:b64decode|a85decode|fromhex|zlib\.decompress|marshal\.loads)\s{0,4}\(/g,
    reason: 'what is decoded is run as Python',
  },
  {
    rule: 'encoded-code',
    pattern: /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120} -e(?:nc|ncodedcommand|c)? +["']?[A-Za-z0-9+/=]{24}/gi,
    reason: 'an encoded command is run by PowerShell',
  },
]

/** Honest code has no reason to call `eval` by a detour; the module vm runs text that other code makes. */
const DETOUR = new RegExp(`(?:${INDIRECT}|${VM})\\s{0,4}(?:\\?\\.)?\\(`, 'g')

/** In a text for people it is how to install something else, and they decide. */
const severityIn: Record<TextView['use'], Severity> = { script: 'severe', data: 'severe', prose: 'note' }

const BLOB = /[A-Za-z0-9+/]{600}/g
const PICTURE = /data:(?:image|font|audio|video)\/[\w.+-]{1,40};base64,$/

/** No way is longer. */
const SIZES = { size: 32_768, more: 4_500 }

/** Gives whether it came to the end. */
export async function findRunning(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  let isWhole = true
  for (const [index, { rule, pattern, word, reason }] of ways.entries()) {
    const add = adder(view, found, { rule, severity: severityIn[view.use], reason })
    isWhole = (await findWay(view, times, { name: `way ${index}`, pattern, word, add })) && isWhole
  }
  if (view.use !== 'script') return isWhole
  const detour = { severity: 'note', reason: 'runs a text as code by a detour' } as const
  const add = adder(view, found, { rule: 'encoded-code', ...detour })
  isWhole = (await findWay(view, times, { name: 'detour', pattern: DETOUR, add })) && isWhole
  return (await findBlobs(view, found, times)) && isWhole
}

const adder =
  (view: TextView, found: Findings, said: { rule: ScanRule; severity: Severity; reason: string }) =>
  (at: number): void =>
    found.add({ ...said, path: view.path, line: view.placeOf(at).line })

function findWay(
  view: TextView,
  times: RuleTimes,
  { name, pattern, word, add }: { name: string; pattern: RegExp; word?: RegExp | undefined; add: (at: number) => void },
): Promise<boolean> {
  return times.through(name, windowsOf(view.text, SIZES), ({ text, from, end }) => {
    if (word && !word.test(text)) return
    for (const { index } of text.matchAll(pattern)) if (index < end) add(from + index)
  })
}

function findBlobs(view: TextView, found: Findings, times: RuleTimes): Promise<boolean> {
  const add = adder(view, found, { rule: 'encoded-code', severity: 'note', reason: 'a long encoded text in a script' })
  let last = 0
  return times.through('blob', windowsOf(view.text, SIZES), ({ text, from, end }) => {
    for (const { index } of text.matchAll(BLOB)) {
      const at = from + index
      const isSame = at <= last
      if (index >= end) break
      last = at + 600
      if (isSame || PICTURE.test(view.text.slice(Math.max(0, at - 60), at))) continue
      add(at)
    }
  })
}
