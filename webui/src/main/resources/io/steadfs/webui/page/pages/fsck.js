import { h } from "../part/element.js";
import { FsckRun } from "./fsck-run.js";
import { FsckRuns } from "./fsck-runs.js";

/** The check of the file system: its runs, or one of them. */
export function Fsck({ path, isOperator }) {
  return path.length > 0 ? h(FsckRun, { id: path[0], isOperator }) : h(FsckRuns, { isOperator });
}
