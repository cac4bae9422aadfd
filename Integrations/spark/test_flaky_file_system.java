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
