// Names of files that git itself acts on: none of them comes out of an archive into a tree.

/** A repository, and files that change how others are written when they are checked out, or where more is fetched from. */
const ACTED_ON = /^\.git(?:modules|attributes)?$/

/** Whether git leaves a file and others as they are, at this path. Archives have no other path that could lead out of a folder (archive-names.ts). */
export const isPlainPath = (path: string): boolean =>
  path.split('/').every((name) => name !== '' && !/^\.\.?$/.test(name) && !ACTED_ON.test(foldedName(name)))

/** As file systems without case, and with characters that they do not see, have it. */
const foldedName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
