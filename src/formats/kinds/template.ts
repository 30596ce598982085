// What `guildhall new` writes for a kind of item (src/formats/kinds/<kind>/template.ts).

/** What `guildhall new` writes: a small whole file, without anything to fill in before it is valid. */
export interface NewFiles {
  /** The file or the folder. */
  at: string
  /** Texts by their path in the folder; by '' where the file is all. */
  files: Record<string, string>
}

/** @param schema where the JSON Schema of the kind is, for editors */
export type Template = (name: string, schema: { $schema?: string }) => NewFiles
