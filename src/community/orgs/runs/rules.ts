// Which files a run may have. They are served as text in UTF-8, so that is what they have to be.
import { cleanFilename } from '../../../storage/multipart.ts'
import { RunFile } from './contract.ts'

type FileType = RunFile['fileType']

/** The name a file is kept under, without path parts and control characters, and its type; undefined if it is neither. */
export function nameOf(filename: string): { filename: string; fileType: FileType } | undefined {
  const clean = cleanFilename(filename)
  const ending = clean.match(/[^.]\.(md|html)$/i)?.[1]?.toLowerCase()
  const fileType = RunFile.shape.fileType.options.find((type) => type === ending)
  return fileType && clean.isWellFormed() ? { filename: clean, fileType } : undefined
}

export const contentTypeOf: Readonly<Record<FileType, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** Nothing in it runs, and nothing is loaded (behaviour.md, section 2). Our own pages may show it in a frame. */
export const sandboxHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'X-Frame-Options': 'SAMEORIGIN',
} as const
