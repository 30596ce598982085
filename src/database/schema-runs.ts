// Runs of orgs, with their files; schema.ts has the rules for all of it.
import type { WrittenTable } from './schema-community.ts'

/** A member's report of running an org. */
export interface OrgRunTable extends WrittenTable {
  id: string
  orgId: string
  authorId: string
  label: string | null
  createdAt: string
  /** 0 where everybody sees it; otherwise why not (content/hiding/rules.ts). */
  hidden: number
}

/** One file of a run; the bytes are an object. */
export interface OrgRunFileTable {
  id: string
  runId: string
  /** Its place among the files of the run, from 0. */
  position: number
  filename: string
  fileType: 'md' | 'html'
  sizeBytes: number
  /** Of the bytes, in hex; null for one from before there was this column. */
  sha256: string | null
}

export interface RunsDatabase {
  orgRun: OrgRunTable
  orgRunFile: OrgRunFileTable
}
