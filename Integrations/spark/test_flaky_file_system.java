// A file system of Hadoop over local files. A file FAULTS/CALL-* makes one call of that name fail.
import org.apache.hadoop.fs.*;

public class FlakyFileSystem extends RawLocalFileSystem {
    public java.net.URI getUri() { return java.net.URI.create("flaky:///"); }

    private void strike(String call) throws java.io.IOException {
        java.io.File[] faults = new java.io.File(getConf().get("fs.flaky.faults")).listFiles();
        for (int i = 0; faults != null && i < faults.length; i++) {
            if (faults[i].getName().startsWith(call + "-") && faults[i].delete()) throw new java.io.IOException("Slow Down");
        }
    }

    // Without owners and permissions, which Hadoop asks for by the path of a local file.
    public FileStatus[] listStatus(Path path) throws java.io.IOException {
        FileStatus[] found = super.listStatus(path);
        for (int i = 0; i < found.length; i++) {
            found[i] = new FileStatus(
                found[i].getLen(), found[i].isDirectory(), 1, found[i].getBlockSize(), found[i].getModificationTime(), found[i].getPath());
        }
        return found;
    }

    public FSDataInputStream open(Path path, int size) throws java.io.IOException {
        strike("open");
        return super.open(path, size);
    }

    public boolean rename(Path from, Path to) throws java.io.IOException {
        strike("rename");
        boolean renamed = super.rename(from, to);
        strike("renamed");
        return renamed;
    }
}
