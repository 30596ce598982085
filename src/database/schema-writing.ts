// Tables of what members write with: drafts of forms, and pictures in texts.

/** What an account typed into a form and did not send: once a page and a form. */
export interface FormDraftTable {
  id: string
  userId: string
  /** The path of the page. */
  path: string
  form: string
  /** A JSON array of names with texts. */
  fields: string
  updatedAt: string
}

/** A picture in a text. The bytes are an object. */
export interface TextImageTable {
  id: string
  uploaderId: string
  /** What its text is of; null for one that no text names so far. */
  thingId: string | null
  contentType: string
  /** In bytes. */
  size: number
  sha256: string
  /** 1 once its thing is gone: then the clean-up removes it. */
  gone: 0 | 1
  createdAt: string
}

export interface WritingDatabase {
  textImage: TextImageTable
  formDraft: FormDraftTable
}
