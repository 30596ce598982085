// The data model of the org gallery and of runs of orgs; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { WrittenTable } from './schema-community.ts'

/** An org of the gallery, as lists show it. The definition itself is the artifact of this hash. */
export interface OrgUploadTable extends WrittenTable {
  id: string
  slug: string
  authorId: string
  /** At most 200 characters of the name. */
  name: string
  /** At most 2,000 characters of the goal. */
  goal: string
  tagline: string | null
  description: string | null
  bannerUrl: string | null
  topology: string | null
  roleCount: number
  score: number
  commentCount: number
  runCount: number
  /** Why it is hidden, as bits (content/hiding/rules.ts); 0 for what shows. */
  hidden: Generated<number>
  sha256: string
  /** Of the definition, in bytes. */
  size: number
  createdAt: string
  updatedAt: string
}

/** Columns for the page of one org only: texts of any length, and the data of its chart. */
export interface OrgPageTable {
  orgId: string
  name: string
  goal: string
  body: string | null
  /** JSON: roles and the edges between them. */
  chart: string
}

/** A picture in an org's text or on its banner; the bytes are an object. */
export interface OrgImageTable {
  id: string
  orgId: string
  uploaderId: string
  contentType: string
  /** In bytes. */
  size: number
  /** Of the bytes, in hex; null for one from before there was this column. */
  sha256: string | null
  createdAt: string
}

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

export interface OrgsDatabase {
  orgUpload: OrgUploadTable
  orgPage: OrgPageTable
  orgImage: OrgImageTable
  orgRun: OrgRunTable
  orgRunFile: OrgRunFileTable
}
