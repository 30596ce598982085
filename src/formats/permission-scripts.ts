// What the text of a script shows of what it does. A script can hide what it does: each way to do so is "any".
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import type { PermissionSet, PermissionType } from './permission-set.ts'
import { addSitesIn } from './permission-sites.ts'

/** An argument that is one plain text, or a template that names its path or host first. */
const LITERAL =
  /\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`$\n]*`|`\/[\w?#.][^`\n]*`|`[a-z]+:\/\/[^`$/\n]+\/[^`\n]*`)\s*(?:[,);\n]|$)/y

const hints: [pattern: RegExp, types: PermissionType[]][] = [
  [
    /\beval\b|\bFunction\b|\batob\b|\bfromCharCode\b|\bWebAssembly\b|\bset(?:Timeout|Interval)\s*\(\s*['"`]/,
    ['script', 'site'],
  ],
  [/\\(?:u00|u\{0*|x)[2-7][0-9a-f]/i, ['script', 'site']],
  [
    /\b(?:window|globalThis|self|top|parent|navigator|document|this|process|chrome|browser)\s*(?:\?\.)?\[/,
    ['script', 'site'],
  ],
  [/\b(?:XMLHttpRequest|RTCPeerConnection|axios|ActiveXObject|curl|wget|urllib|requests|socket)\b/, ['site']],
  [/\bchild_process\b|\bexecSync\b|\bspawn\b|\bsubprocess\b|\bos\.system\b/, ['script', 'site', 'secret']],
  [/\.download\s*=(?!=)|\bdownloads\s*\.\s*download\b/, ['download']],
]

/** Names of what a browser keeps, which can hold credentials. */
const kept: [pattern: RegExp, name: string][] = [
  [/\bcookies?\b|\bcookieStore\b/i, 'cookies'],
  [/\b(?:localStorage|sessionStorage|indexedDB)\b/, 'browser storage'],
  [/\bnavigator\s*\.\s*credentials\b/, 'saved passwords'],
]

const REQUEST = /\b(?:fetch|sendBeacon|WebSocket|EventSource|WebTransport|importScripts|import|require)\s*\(/g
const NAVIGATION = /(?:\.(?:src|href|action)|\blocation)\s*=(?!=)/g
const OPENING = /\b(?:window\s*\.\s*open|location\s*\.\s*(?:assign|replace))\s*\(/g
const ENVIRONMENT =
  /\b(?:process|Deno|Bun|import\s*\.\s*meta)\s*\.\s*env\b(?:\s*\.\s*get\s*\(\s*['"`]|\s*\.\s*|\s*\[\s*['"`])?([A-Za-z_]\w*)?/g

const SCRIPT_ENDINGS = /\.[cm]?[jt]sx?$/i

/** Adds what the text of a script names; `path` tells the language. */
export function addScriptText(found: PermissionSet, text: string, path = ''): void {
  addSitesIn(found, text)
  if (path !== '' && !SCRIPT_ENDINGS.test(path)) found.addAny('site')
  for (const [pattern, types] of hints) if (pattern.test(text)) found.addAny(...types)
  for (const [pattern, name] of kept) if (pattern.test(text)) found.add('secret', name)
  for (const pattern of [REQUEST, NAVIGATION, OPENING]) {
    for (const match of text.matchAll(pattern)) {
      if (!isLiteralAt(text, match.index + match[0].length)) found.addAny('site')
    }
  }
  for (const [, name] of text.matchAll(ENVIRONMENT)) {
    if (name === undefined) found.addAny('secret')
    else found.add('secret', name)
  }
}

function isLiteralAt(text: string, index: number): boolean {
  LITERAL.lastIndex = index
  return LITERAL.test(text)
}
