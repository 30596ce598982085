// Code that fetches something and runs it, or decodes something and runs it: what it does is in no file of the package.
import type { Found, ScanRule, Severity } from './rules.ts'
import type { TextView } from './text-view.ts'

interface Way {
  rule: ScanRule
  pattern: RegExp
  reason: string
}

const SHELL = '(?:sudo +)?(?:[\\w/.~-]{0,40}/)?(?:ba|z|da|k|fi)?sh\\b'
const INTERPRETER = `(?:${SHELL}|(?:sudo +)?(?:python[\\d.]*|node|perl|ruby|php|deno|bun|pwsh|powershell)\\b)`
const FETCHER = '(?:curl|wget|fetch|aria2c)'

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
    pattern:
      /(?:\beval|\bnew\s{1,4}Function|\bFunction|\bsetTimeout)\s{0,4}\(\s{0,4}(?:await\s{1,4})?\(?\s{0,4}(?:await\s{1,4})?(?:fetch|axios(?:\.get)?|got)\s{0,4}\(/g,
    reason: 'what is fetched is run as JavaScript',
  },
  {
    rule: 'fetch-and-run',
    pattern:
      /\b(?:fetch|axios(?:\.get)?|XMLHttpRequest)\s{0,4}\([\s\S]{0,200}?\.then\([\s\S]{0,100}?(?:\beval|\bnew\s{1,4}Function|\bFunction)\s{0,4}(?:\(|\))/g,
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
    pattern:
      /(?:\beval|\bnew\s{1,4}Function|\bFunction|\bsetTimeout)\s{0,4}\([^\n;]{0,80}?(?:\batob\s{0,4}\(|Buffer\.from\s{0,4}\([^\n;]{0,4000}?["']base64["']|\bunescape\s{0,4}\(|String\.fromCharCode\s{0,4}\()/g,
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

/** In a text for people it is how to install something else, and they decide. */
const severityIn: Record<TextView['use'], Severity> = { script: 'severe', data: 'severe', prose: 'note' }

const BLOB = /[A-Za-z0-9+/]{600}/g
const PICTURE = /data:(?:image|font|audio|video)\/[\w.+-]{1,40};base64,$/

export function findRunning(view: TextView, found: Found): void {
  const add = (rule: ScanRule, at: number, said: { severity: Severity; reason: string }) =>
    found.add({ rule, ...said, path: view.path, line: view.placeOf(at).line })
  for (const { rule, pattern, reason } of ways) {
    for (const { index } of view.text.matchAll(pattern)) add(rule, index, { severity: severityIn[view.use], reason })
  }
  if (view.use !== 'script') return
  let end = 0
  for (const { index } of view.text.matchAll(BLOB)) {
    const isSame = index === end
    end = index + 600
    if (isSame || PICTURE.test(view.text.slice(Math.max(0, index - 60), index))) continue
    add('encoded-code', index, { severity: 'note', reason: 'a long encoded text in a script' })
  }
}
